// A work place of the run's own: a git worktree that looks like the user's working tree, uncommitted state included.
import { mkdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Git } from './git.ts';
import { inspectFolder, type Repository } from './repository.ts';
import { removeWorktree } from './run-folder.ts';
import { openSnapshots } from './snapshot.ts';
import { startOf, type Origin, type Start } from './start.ts';
import { leaveBranch } from './task-branch.ts';
import type { KeptBranch, PlaceOptions, Workspace } from './workspace.ts';
import { WorkspaceError } from './workspace-error.ts';

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

/** What a reader of the task should know about the worktree. */
async function notesOn(path: string, { note }: Start): Promise<string> {
  if (!(await isThere(join(path, '.gitmodules')))) return note;
  return `${note} Submodules are empty in a worktree. Bind the codebase with the mode in_place if the agent needs them.`;
}

/** @returns the agent's last commit, if it made some on top of the one it found; its `.git` may be damaged */
async function ownCommit(git: Git, path: string, { base, head }: Start): Promise<string | undefined> {
  // Below an uncommitted state there is a commit of ours that the agent's do not stand on.
  if (base !== head) return undefined;
  const call = { cwd: path, expect: [0, 1, 128] };
  const last = await git.run(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], call);
  const commit = last.stdout.toString().trim();
  if (last.code !== 0 || commit === base) return undefined;
  const above = await git.run(['merge-base', '--is-ancestor', base, commit], call);
  return above.code === 0 ? commit : undefined;
}

/** Where a clone's branch is to be had: where the clone came from, if it may be pushed there, else in the clone. */
async function brought(
  { push, url }: Origin,
  root: string,
  { branch, commit }: { branch: string; commit: string },
): Promise<Pick<KeptBranch, 'repository' | 'merge' | 'note'>> {
  const inClone = { repository: root, merge: `git pull ${root} ${branch}` };
  if (push === undefined) return inClone;
  try {
    await push(commit, branch);
    return { repository: url, merge: `git pull ${url} ${branch}` };
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return { ...inClone, note: `The branch could not be pushed: ${error.message}` };
  }
}

async function makeWorktree(
  options: PlaceOptions,
  repository: Repository,
  path: string,
  origin: Origin | undefined,
): Promise<Workspace> {
  const { git, task, folder, stateDir } = options;
  const { root } = repository;
  const start = await startOf(options, repository, origin);
  await checkOut(git, repository, start, path);
  const inside = await inspectFolder(git, path);
  if (inside.kind !== 'git') throw new WorkspaceError('workspace_unusable', `The worktree ${path} could not be made.`);
  // Taken over before the index is set back: it knows which files are unchanged.
  const snapshots = await openSnapshots({ git, folder: join(folder.path, 'after'), stateDir }, inside, 'repository');
  if (start.head !== undefined) await git.run(['reset', '--quiet', '--mixed'], { cwd: path });
  const bound = join(path, repository.prefix);
  return {
    path: (await isThere(bound)) ? bound : path,
    repository: root,
    snapshots,
    before: await git.line(['rev-parse', `${start.base}^{tree}`], { cwd: path }),
    note: await notesOn(path, start),
    async keepChanges(tree, status) {
      const own = await ownCommit(git, path, start);
      const content = { tree, base: start.base, own, title: task.title, status, earlier: start.earlier };
      const left = await leaveBranch({ git, root, taskId: task.id }, content);
      const kept = { ...left, base: start.base };
      return origin === undefined
        ? { ...kept, repository: root, merge: `git merge ${left.branch}` }
        : { ...kept, ...(await brought(origin, root, left)) };
    },
    keepFolder() {
      folder.keep();
      return path;
    },
    [Symbol.asyncDispose]: () => (folder.kept() ? Promise.resolve() : removeWorktree(git, { path, root })),
  };
}

/**
 * Makes a worktree of the bound repository under the run's folder. Ignored files (installed packages, build output)
 * and the contents of submodules are not in it.
 *
 * After the run the worktree goes; changes of a run that completed, failed or asked a question stay on the branch
 * `switchyard/<task id>` of the user's repository, whose `HEAD`, index and working tree nothing touches: the commits
 * that the agent made, and one with what it did not commit. If the working tree was dirty, the branch has the
 * uncommitted state as a commit of its own, and one with all of the run on top.
 * @param origin set for a clone of the worker's own: where its runs start
 * @throws WorkspaceError, after what was made is removed
 */
export async function openWorktree(options: PlaceOptions, repository: Repository, origin?: Origin): Promise<Workspace> {
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
