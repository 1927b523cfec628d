// A workspace of the attempt's own: a git worktree that looks like the user's working tree, including uncommitted
// changes.
import { mkdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readPlain } from './git/git-settings.ts';
import type { Git } from './git/git.ts';
import { copyIndex } from './git/index-copy.ts';
import { linkWorktree, removeWorktree, type LinkedWorktree } from './git/linked-worktree.ts';
import { openIsolatedGit } from './git/isolated-git.ts';
import type { Repository } from './git/repository.ts';
import { openSnapshots, type Snapshots } from './snapshot.ts';
import { findStartingPoint, type CloneOrigin, type StartingPoint } from './starting-point.ts';
import { findCommit, writeBranch } from './task-branch.ts';
import type { KeptBranch, WorkspaceOptions, Workspace } from './workspace.ts';
import { WorkspaceError } from './git/workspace-error.ts';

/**
 * Checks the worktree out so that `git status` in it shows what it shows to the user: changes against `HEAD`.
 * @returns its snapshots, through an index of their own; the agent's git has another index, which the agent may write
 */
async function checkOut(
  { git, folder, stateDir }: WorkspaceOptions,
  { commonDir }: Repository,
  start: StartingPoint,
  { path, gitDir }: LinkedWorktree,
): Promise<Snapshots> {
  const snapshotFolder = join(folder.path, 'after');
  const snapshots = await openSnapshots(
    { git, folder: snapshotFolder, stateDir },
    { root: path, gitDir, commonDir },
    'repository',
  );
  const { env } = snapshots;
  await git.run(['read-tree', '--reset', '-u', start.tree], { cwd: path, env });
  const index = join(gitDir, 'index');
  await copyIndex(join(snapshotFolder, 'index'), index);
  if (start.head !== undefined) {
    // Entries that both have in common stay marked as unchanged.
    await git.run(['read-tree', '-m', start.head], { cwd: path, env: { ...env, GIT_INDEX_FILE: index } });
  }
  return snapshots;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}

/** The remark about the worktree for readers of the task. */
async function notesOn(path: string, { note }: StartingPoint): Promise<string> {
  if (!(await isThere(join(path, '.gitmodules')))) return note;
  return `${note} Submodules are empty in a worktree. Bind the codebase with the mode in_place if the agent needs them.`;
}

/** @returns the agent's last commit, if it made one on top of the commit it started from; its `HEAD` may be anything */
async function findAgentCommit(
  git: Git,
  { gitDir }: LinkedWorktree,
  root: string,
  start: StartingPoint,
): Promise<string | undefined> {
  const { base, head } = start;
  // Uncommitted changes of the user are a commit of ours, on which the agent's commits are not based.
  if (base !== head) return undefined;
  const headMatch = /^(?:ref: (refs\/.+)|([0-9a-f]{40,64}))\n?$/.exec((await readPlain(join(gitDir, 'HEAD'))) ?? '');
  const commit = headMatch && (await findCommit({ git, root }, headMatch[1] ?? headMatch[2] ?? ''));
  if (!commit || commit === base) return undefined;
  const above = await git.run(['merge-base', '--is-ancestor', base, commit], { cwd: root, expect: [0, 1, 128] });
  return above.code === 0 ? commit : undefined;
}

/** The bound folder in the worktree, if it is a folder there: an agent's commit may have replaced it with a link. */
async function boundFolder(path: string, prefix: string): Promise<string> {
  const [top, bound] = await Promise.all([path, join(path, prefix)].map((one) => realpath(one).catch(() => undefined)));
  const isInside = bound !== undefined && top !== undefined && `${bound}/`.startsWith(`${top}/`);
  return isInside && (await stat(bound)).isDirectory() ? join(path, prefix) : path;
}

/** The place of a clone's branch: the origin of the clone if pushing is allowed, otherwise the clone. */
async function publishBranch(
  git: Git,
  { push, url }: CloneOrigin,
  root: string,
  { branch, commit }: { branch: string; commit: string },
): Promise<Pick<KeptBranch, 'repository' | 'merge' | 'note'>> {
  const inClone = { repository: root, merge: `git pull ${root} ${branch}` };
  if (push === undefined) return inClone;
  try {
    await push(git, commit, branch);
    return { repository: url, merge: `git pull ${url} ${branch}` };
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return { ...inClone, note: `The branch could not be pushed: ${error.message}` };
  }
}

async function makeWorktree(
  options: WorkspaceOptions,
  repository: Repository,
  path: string,
  origin: CloneOrigin | undefined,
): Promise<Workspace> {
  const { task, folder, stateDir } = options;
  const { root, commonDir } = repository;
  const { git, elsewhere } = await openIsolatedGit(options.git, repository, {
    folder: join(folder.path, 'git'),
    stateDir,
  });
  const start = await findStartingPoint({ ...options, git }, repository, origin);
  const name = basename(folder.path);
  const linked = await linkWorktree(commonDir, { path, name, commit: start.head ?? start.base });
  const snapshots = await checkOut({ ...options, git }, repository, start, linked);
  return {
    path: await boundFolder(path, repository.prefix),
    repository: root,
    gitFolders: [commonDir, ...elsewhere],
    snapshots,
    before: await git.line(['rev-parse', `${start.base}^{tree}`], { cwd: root }),
    note: await notesOn(path, start),
    async keepChanges(tree, status) {
      const own = await findAgentCommit(git, linked, root, start);
      const content = { tree, base: start.base, own, title: task.title, status, earlier: start.earlier };
      const written = await writeBranch({ git, root, taskId: task.id }, content);
      const kept = { ...written, base: start.base };
      return origin === undefined
        ? { ...kept, repository: root, merge: `git merge ${written.branch}` }
        : { ...kept, ...(await publishBranch(git, origin, root, written)) };
    },
    keepFolder() {
      folder.keep();
      return path;
    },
    [Symbol.asyncDispose]: () => (folder.kept() ? Promise.resolve() : removeWorktree(options.git, { path, root })),
  };
}

/**
 * Makes a worktree of the bound repository in the attempt's folder. It contains neither ignored files (installed
 * packages, build output) nor the contents of submodules.
 *
 * After the attempt the worktree is removed. Changes of an attempt that completed, failed or asked a question stay on
 * the branch `switchyard/<task id>` of the user's repository, whose `HEAD`, index and working tree stay unchanged: the
 * commits of the agent, and one with its uncommitted changes. If the working tree was dirty, the branch has the user's
 * uncommitted changes as one commit, and one with the whole attempt on top.
 * @param origin set for a clone of the worker: where its attempts start
 * @throws WorkspaceError, after removing what was made
 */
export async function openWorktree(
  options: WorkspaceOptions,
  repository: Repository,
  origin?: CloneOrigin,
): Promise<Workspace> {
  const path = join(options.folder.path, 'work', basename(repository.root));
  const worktree = { path, root: repository.root };
  await mkdir(dirname(path));
  await options.folder.note(worktree);
  try {
    return await makeWorktree(options, repository, path, origin);
  } catch (error) {
    await removeWorktree(options.git, worktree);
    throw error;
  }
}
