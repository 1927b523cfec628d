// The branch that an attempt in a worktree leaves in the user's repository: `switchyard/<task id>`.
import type { Git } from './git/git.ts';
import { WorkspaceError } from './git/workspace-error.ts';

export interface BranchLocation {
  readonly git: Git;
  /** Top folder of the user's working tree. */
  readonly root: string;
  readonly taskId: string;
}

/** The branch of an earlier attempt that asked a question: the next attempt continues it. */
export interface EarlierAttempt {
  readonly branch: string;
  readonly tip: string;
  /** The parent of its commit. */
  readonly base: string;
}

const statusTrailer = 'Switchyard-Status';
const baseTrailer = 'Switchyard-Base';

/** @returns the id of the commit that `name` denotes; undefined when there is none */
export async function findCommit(
  { git, root }: Pick<BranchLocation, 'git' | 'root'>,
  name: string,
): Promise<string | undefined> {
  const found = await git.run(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`], {
    cwd: root,
    expect: [0, 1, 128],
  });
  return found.code === 0 ? found.stdout.toString().trim() : undefined;
}

/** The name of a task's branch. If a branch `switchyard` exists, git can have none below it. */
async function findBranchName(location: BranchLocation): Promise<string> {
  const isTaken = (await findCommit(location, 'refs/heads/switchyard')) !== undefined;
  return isTaken ? `switchyard-${location.taskId}` : `switchyard/${location.taskId}`;
}

/**
 * @param checkedOut branches that are checked out somewhere
 * @returns the branch that an attempt at the same task left with a question, if nobody has changed it since
 */
export async function findEarlierAttempt(
  location: BranchLocation,
  checkedOut: ReadonlySet<string>,
): Promise<EarlierAttempt | undefined> {
  const branch = await findBranchName(location);
  const { git, root } = location;
  const tip = await findCommit(location, `refs/heads/${branch}`);
  if (tip === undefined) return undefined;
  const trailer = (key: string): Promise<string> =>
    git.line(['log', '-1', `--format=%(trailers:key=${key},valueonly)`, tip], { cwd: root });
  if ((await trailer(statusTrailer)) !== 'needs_input') return undefined;
  const base = await findCommit(location, (await trailer(baseTrailer)) || `${tip}^`);
  if (base === undefined) return undefined;
  return checkedOut.has(`refs/heads/${branch}`) ? undefined : { branch, tip, base };
}

async function findFreeName(location: BranchLocation): Promise<string> {
  const first = await findBranchName(location);
  for (let count = 1; ; count += 1) {
    const name = `${first}${count === 1 ? '' : `-${count}`}`;
    if ((await findCommit(location, `refs/heads/${name}`)) === undefined) return name;
  }
}

/**
 * Creates a commit object; no branch moves. Its author is `user.name` with `user.email` of the git configuration, or
 * `Switchyard <switchyard@localhost>`.
 */
export async function commitTree(
  { git, root }: Pick<BranchLocation, 'git' | 'root'>,
  commit: { tree: string; parent: string | undefined; message: string },
): Promise<string> {
  const parents = commit.parent === undefined ? [] : ['-p', commit.parent];
  return git.line(['commit-tree', commit.tree, ...parents, '-F', '-'], { cwd: root, input: commit.message });
}

export interface BranchContent {
  /** The folder's tree after the attempt. */
  readonly tree: string;
  /** The commit from which the attempt started. */
  readonly base: string;
  /** The agent's own last commit on top of `base`; undefined: none. */
  readonly own: string | undefined;
  readonly title: string;
  readonly status: string;
  readonly earlier: EarlierAttempt | undefined;
}

/** The commit for the branch: the agent's own last one when it contains everything, otherwise one of ours on top. */
async function findOrMakeCommit(location: BranchLocation, content: BranchContent): Promise<string> {
  const { base, own, status, tree } = content;
  const { git, root } = location;
  const isComplete = own !== undefined && (await git.line(['rev-parse', `${own}^{tree}`], { cwd: root })) === tree;
  // The attempt after an answered question needs the trailers of our own commit.
  if (own !== undefined && isComplete && status !== 'needs_input') return own;
  const title = content.title.replaceAll(/\s+/g, ' ').trim();
  const trailers = `Switchyard-Task: ${location.taskId}\n${statusTrailer}: ${status}\n${baseTrailer}: ${base}\n`;
  return commitTree(location, { tree, parent: own ?? base, message: `${title}\n\n${trailers}` });
}

const nameTries = 5;

/**
 * Leaves an attempt's changes on a new branch (or replaces the earlier attempt's commit): the commits of the agent, and
 * one with its uncommitted changes. Only objects and this branch change in the repository, not `HEAD`, index or working
 * tree.
 */
export async function writeBranch(
  location: BranchLocation,
  content: BranchContent,
): Promise<{ branch: string; commit: string }> {
  const commit = await findOrMakeCommit(location, content);
  for (let tries = 1; ; tries += 1) {
    const branch = content.earlier?.branch ?? (await findFreeName(location));
    const old = content.earlier?.tip ?? '0'.repeat(commit.length);
    try {
      await location.git.run(['update-ref', `refs/heads/${branch}`, commit, old], { cwd: location.root });
      return { branch, commit };
    } catch (error) {
      // Another worker on this repository, with the same task after a lost lease, took the name just now.
      const raced = error instanceof WorkspaceError && error.code === 'workspace_unusable';
      if (!raced || content.earlier !== undefined || tries === nameTries) throw error;
    }
  }
}

/**
 * As `findBranchName` and `freeName` make them. The id is a UUIDv7: its first 48 bits are the creation time of the
 * task.
 */
const branchName = /^refs\/heads\/switchyard[/-](?<high>[0-9a-f]{8})-(?<low>[0-9a-f]{4})-7[0-9a-f-]{21}(?:-\d+)?$/;

/**
 * Removes branches of tasks from a clone of the worker: those of tasks created before `beforeMs` whose commit is as
 * old. A branch that ended with a question stays, because the next attempt continues it.
 */
export async function dropOldBranches(
  { git, root }: Pick<BranchLocation, 'git' | 'root'>,
  beforeMs: number,
): Promise<void> {
  const format = `--format=%(refname) %(objectname) %(committerdate:unix) %(trailers:key=${statusTrailer},valueonly,separator=%2C)`;
  const { stdout } = await git.run(['for-each-ref', format, 'refs/heads'], { cwd: root });
  for (const line of stdout.toString().split('\n')) {
    const [ref = '', commit = '', seconds = '', status = ''] = line.split(' ');
    const id = branchName.exec(ref)?.groups;
    if (id === undefined || status === 'needs_input') continue;
    const madeMs = Number.parseInt(`${id['high']}${id['low']}`, 16);
    if (Math.max(madeMs, Number(seconds) * 1000) < beforeMs)
      await git.run(['update-ref', '-d', ref, commit], { cwd: root });
  }
}
