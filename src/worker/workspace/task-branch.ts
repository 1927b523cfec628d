// The branch that a run in a worktree leaves in the user's repository: `switchyard/<task id>`.
import type { Git } from './git.ts';

export interface BranchPlace {
  git: Git;
  /** Top folder of the user's working tree. */
  root: string;
  taskId: string;
}

/** The branch of an earlier run that asked a question: the answered run goes on from it. */
export interface EarlierRun {
  branch: string;
  tip: string;
  /** What its commit was made on. */
  base: string;
}

const statusTrailer = 'Switchyard-Status';

async function commitOf({ git, root }: BranchPlace, name: string): Promise<string | undefined> {
  const found = await git.run(['rev-parse', '--verify', '--quiet', `${name}^{commit}`], {
    cwd: root,
    expect: [0, 1, 128],
  });
  return found.code === 0 ? found.stdout.toString().trim() : undefined;
}

/** @returns the branch that a run of the same task left with a question, if nobody has touched it since */
export async function findEarlierRun(place: BranchPlace): Promise<EarlierRun | undefined> {
  const branch = `switchyard/${place.taskId}`;
  const { git, root } = place;
  const tip = await commitOf(place, `refs/heads/${branch}`);
  const base = tip && (await commitOf(place, `${tip}^`));
  if (tip === undefined || base === undefined) return undefined;
  const status = `--format=%(trailers:key=${statusTrailer},valueonly)`;
  if ((await git.line(['log', '-1', status, tip], { cwd: root })) !== 'needs_input') return undefined;
  const checkedOut = await git.line(['for-each-ref', '--format=%(worktreepath)', `refs/heads/${branch}`], {
    cwd: root,
  });
  return checkedOut === '' ? { branch, tip, base } : undefined;
}

async function freeName(place: BranchPlace): Promise<string> {
  for (let count = 1; ; count += 1) {
    const name = `switchyard/${place.taskId}${count === 1 ? '' : `-${count}`}`;
    if ((await commitOf(place, `refs/heads/${name}`)) === undefined) return name;
  }
}

/** Makes a commit object; no branch moves. */
export async function commitTree(
  { git, root }: Pick<BranchPlace, 'git' | 'root'>,
  commit: { tree: string; parent: string | undefined; message: string },
): Promise<string> {
  const parents = commit.parent === undefined ? [] : ['-p', commit.parent];
  return git.line(['commit-tree', commit.tree, ...parents, '-F', '-'], { cwd: root, input: commit.message });
}

export interface BranchContent {
  /** The folder's tree after the run. */
  tree: string;
  /** The commit that the run started from. */
  base: string;
  title: string;
  status: string;
  earlier: EarlierRun | undefined;
}

/**
 * Commits a run's changes, in one commit, to a new branch (or in place of the earlier run's commit). Objects and this
 * branch are all that changes in the repository: neither `HEAD` nor index nor working tree.
 * @returns the branch's name
 */
export async function leaveBranch(place: BranchPlace, content: BranchContent): Promise<string> {
  const title = content.title.replaceAll(/\s+/g, ' ').trim();
  const message = `${title}\n\nSwitchyard-Task: ${place.taskId}\n${statusTrailer}: ${content.status}\n`;
  const commit = await commitTree(place, { tree: content.tree, parent: content.base, message });
  const branch = content.earlier?.branch ?? (await freeName(place));
  const old = content.earlier?.tip ?? '0'.repeat(commit.length);
  await place.git.run(['update-ref', `refs/heads/${branch}`, commit, old], { cwd: place.root });
  return branch;
}
