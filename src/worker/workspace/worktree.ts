// A work place of the run's own: a git worktree that looks like the user's working tree, uncommitted state included.
import { mkdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Git } from './git.ts';
import { headOf, inspectFolder, type Repository } from './repository.ts';
import { removeWorktree } from './run-folder.ts';
import { openSnapshots } from './snapshot.ts';
import { commitTree, findEarlierRun, leaveBranch, type EarlierRun } from './task-branch.ts';
import type { PlaceOptions, Workspace } from './workspace.ts';
import { WorkspaceError } from './workspace-error.ts';

interface Start {
  /** The user's `HEAD`; undefined before his first commit. */
  head: string | undefined;
  /** The commit that the changes are told from: the user's `HEAD`, or his uncommitted state as a commit on it. */
  base: string;
  /** The tree that the agent finds. */
  tree: string;
  earlier: EarlierRun | undefined;
}

/** Where the run starts: from the user's files as they are, or from what an earlier run left with its question. */
async function startOf(options: PlaceOptions, repository: Repository): Promise<Start> {
  const { git, task, folder, stateDir } = options;
  const { root } = repository;
  const head = await headOf(git, repository);
  const earlier = await findEarlierRun({ git, root, taskId: task.id });
  if (earlier) {
    const tree = await git.line(['rev-parse', `${earlier.tip}^{tree}`], { cwd: root });
    return { head, base: earlier.base, tree, earlier };
  }
  const place = { git, folder: join(folder.path, 'before'), stateDir };
  const tree = await (await openSnapshots(place, repository, 'repository')).take();
  if (head !== undefined && (await git.line(['rev-parse', `${head}^{tree}`], { cwd: root })) === tree) {
    return { head, base: head, tree, earlier };
  }
  const message = `Uncommitted state before Switchyard's task ${task.id}\n`;
  return { head, base: await commitTree({ git, root }, { tree, parent: head, message }), tree, earlier };
}

/** Checks the worktree out so that `git status` in it shows what it shows to the user: changes of `HEAD`. */
async function checkOut(git: Git, repository: Repository, start: Start, path: string): Promise<void> {
  const at = start.head ?? start.base;
  const add = ['worktree', 'add', '--quiet', '--force', '--detach', '--no-checkout', path, at];
  await git.run(add, { cwd: repository.root });
  await git.run(['read-tree', '--reset', '-u', start.tree], { cwd: path });
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}

/** @returns what a reader of the task should know about the worktree */
async function noteOn(path: string, start: Start): Promise<string | undefined> {
  if (start.earlier) return `The run goes on from the branch ${start.earlier.branch}.`;
  if (!(await isThere(join(path, '.gitmodules')))) return undefined;
  return 'Submodules are empty in a worktree. Bind the codebase with the mode in_place if the agent needs them.';
}

async function makeWorktree(options: PlaceOptions, repository: Repository, path: string): Promise<Workspace> {
  const { git, task, folder, stateDir } = options;
  const start = await startOf(options, repository);
  await checkOut(git, repository, start, path);
  const inside = await inspectFolder(git, path);
  if (inside.kind !== 'git') throw new WorkspaceError('workspace_unusable', `The worktree ${path} could not be made.`);
  // Taken over before the index is set back: it knows which files are unchanged.
  const snapshots = await openSnapshots({ git, folder: join(folder.path, 'after'), stateDir }, inside, 'repository');
  if (start.head !== undefined) await git.run(['reset', '--quiet', '--mixed'], { cwd: path });
  const bound = join(path, repository.prefix);
  return {
    path: (await isThere(bound)) ? bound : path,
    snapshots,
    before: await git.line(['rev-parse', `${start.base}^{tree}`], { cwd: path }),
    note: await noteOn(path, start),
    async keepChanges(tree, status) {
      const place = { git, root: repository.root, taskId: task.id };
      const content = { tree, base: start.base, title: task.title, status, earlier: start.earlier };
      return `The changes are on the branch ${await leaveBranch(place, content)} of the repository.`;
    },
    keepFolder() {
      folder.keep();
      return path;
    },
    [Symbol.asyncDispose]: () =>
      folder.kept() ? Promise.resolve() : removeWorktree(git, { path, root: repository.root }),
  };
}

/**
 * Makes a worktree of the bound repository under the run's folder. Ignored files (installed packages, build output)
 * and the contents of submodules are not in it.
 *
 * After the run the worktree goes; changes of a run that completed, failed or asked a question stay as one commit on
 * the branch `switchyard/<task id>` of the user's repository, whose `HEAD`, index and working tree nothing touches. If
 * the working tree was dirty, the branch has the uncommitted state as a commit of its own below that one.
 * @throws WorkspaceError, after what was made is removed
 */
export async function openWorktree(options: PlaceOptions, repository: Repository): Promise<Workspace> {
  const path = join(options.folder.path, 'work', basename(repository.root));
  const worktree = { path, root: repository.root };
  await mkdir(dirname(path));
  await options.folder.note(worktree);
  try {
    return await makeWorktree(options, repository, path);
  } catch (error) {
    await removeWorktree(options.git, worktree);
    throw error;
  }
}
