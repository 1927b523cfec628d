// The starting point of an attempt in a worktree: the user's current files, a commit that the task names, or the branch
// of an earlier attempt that ended with a question.
import { join } from 'node:path';
import { z } from 'zod';
import type { Git } from './git/git.ts';
import { checkedOut } from './git/linked-worktree.ts';
import { findHeadCommit, type Repository } from './git/repository.ts';
import { openSnapshots } from './snapshot.ts';
import { findCommit, commitTree, findEarlierAttempt, type EarlierAttempt } from './task-branch.ts';
import type { WorkspaceOptions } from './workspace.ts';
import { WorkspaceError } from './git/workspace-error.ts';

export interface StartingPoint {
  /** The `HEAD` commit of the worktree; undefined before the first one. */
  readonly head: string | undefined;
  /** The commit to which changes are compared: `head`, or a commit of the user's uncommitted state on top of it. */
  readonly base: string;
  /** The tree that the agent gets. */
  readonly tree: string;
  readonly earlier: EarlierAttempt | undefined;
  /** One sentence for the task's log. */
  readonly note: string;
}

/** The repository of which a clone was made. */
export interface CloneOrigin {
  readonly url: string;
  /** The commit of its default branch when it was fetched. */
  readonly commit: string;
  readonly note: string;
  /** Pushes a commit there as this branch; undefined where the operator does not want that. @throws WorkspaceError */
  readonly push: ((git: Git, commit: string, branch: string) => Promise<void>) | undefined;
}

/** A branch, tag or commit; never an option of git, and no characters that a command line cannot carry. */
const gitBase = z.string().regex(/^[^\p{Cc}\s-][^\p{Cc}\s]{0,249}$/u);

function short(commit: string): string {
  return commit.slice(0, 10);
}

/** The commit that the task's `metadata.git_base` names. @throws WorkspaceError `base_not_found` */
async function wantedBase(
  { git, task }: WorkspaceOptions,
  { root }: Repository,
  origin: CloneOrigin | undefined,
): Promise<string | undefined> {
  const given = task.metadata['git_base'];
  if (given === undefined || given === null) return undefined;
  const name = gitBase.safeParse(given).data;
  const at = name && origin && (await findCommit({ git, root }, `refs/remotes/origin/${name}`));
  const commit = at ?? (name && (await findCommit({ git, root }, name)));
  if (commit) return commit;
  const shown = JSON.stringify(given).slice(0, 300);
  const message = `metadata.git_base ${shown} is not a branch, tag or commit of ${origin?.url ?? root}.`;
  throw new WorkspaceError('base_not_found', message);
}

async function fromCommit(
  { git }: WorkspaceOptions,
  { root }: Repository,
  commit: string,
  note: string,
): Promise<StartingPoint> {
  const tree = await git.line(['rev-parse', `${commit}^{tree}`], { cwd: root });
  return { head: commit, base: commit, tree, earlier: undefined, note };
}

/** Starts from the user's working tree, including uncommitted changes. */
async function fromFiles(options: WorkspaceOptions, repository: Repository): Promise<StartingPoint> {
  const { git, task, folder, stateDir } = options;
  const { root } = repository;
  const head = await findHeadCommit(git, root);
  const snapshotOptions = { git, folder: join(folder.path, 'before'), stateDir };
  const tree = await (await openSnapshots(snapshotOptions, repository, 'repository')).take();
  const headTree = head && (await git.line(['rev-parse', `${head}^{tree}`], { cwd: root }));
  if (head && headTree === tree) {
    return { head, base: head, tree, earlier: undefined, note: `The attempt starts from ${short(head)}.` };
  }
  const message = `Uncommitted state before Switchyard's task ${task.id}\n`;
  const base = await commitTree({ git, root }, { tree, parent: head, message });
  const changed = headTree && (await git.line(['diff-tree', '-r', '--name-only', headTree, tree], { cwd: root }));
  const note = changed
    ? `The attempt starts from ${short(head ?? '')} with the folder's uncommitted changes (files: ${changed.split('\n').length}).`
    : 'The attempt starts from the files of the folder: it has no commit yet.';
  return { head, base, tree, earlier: undefined, note };
}

/**
 * Finds the starting point of an attempt.
 * @param origin set for a clone of the worker, which has no files of a user
 * @throws WorkspaceError
 */
export async function findStartingPoint(
  options: WorkspaceOptions,
  repository: Repository,
  origin: CloneOrigin | undefined,
): Promise<StartingPoint> {
  const { git, task } = options;
  const { root } = repository;
  const earlier = await findEarlierAttempt({ git, root, taskId: task.id }, await checkedOut(repository.commonDir));
  if (earlier) {
    const tree = await git.line(['rev-parse', `${earlier.tip}^{tree}`], { cwd: root });
    const head = origin?.commit ?? (await findHeadCommit(git, root));
    return { head, base: earlier.base, tree, earlier, note: `The attempt continues the branch ${earlier.branch}.` };
  }
  const wanted = await wantedBase(options, repository, origin);
  if (wanted !== undefined) {
    const note = `The attempt starts from ${String(task.metadata['git_base'])} (${short(wanted)}).`;
    return fromCommit(options, repository, wanted, note);
  }
  return origin === undefined
    ? fromFiles(options, repository)
    : fromCommit(options, repository, origin.commit, origin.note);
}
