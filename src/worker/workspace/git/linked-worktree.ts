// Creates and removes a linked worktree file by file: git itself would read the repository's configuration for it.
import { mkdir, readdir, realpath, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '../../../lib/system/error-code.ts';
import { findGit } from './find-git.ts';
import { readPlain } from './git-settings.ts';
import type { Git } from './git.ts';
import { WorkspaceError } from './workspace-error.ts';

export interface LinkedWorktree {
  /** The working tree, with links resolved. */
  readonly path: string;
  /** Its folder in the repository: `HEAD` and the index of this tree. */
  readonly gitDir: string;
}

/**
 * Creates a linked worktree without files, as `git worktree add --detach --no-checkout` does.
 * @param name of its folder in the repository; must be unused
 */
export async function linkWorktree(
  commonDir: string,
  { path, name, commit }: { path: string; name: string; commit: string },
): Promise<LinkedWorktree> {
  const gitDir = join(commonDir, 'worktrees', name);
  await mkdir(path);
  await writeFile(join(path, '.git'), `gitdir: ${gitDir}\n`);
  await makeWorktreeFolder(gitDir);
  // Written first: without it a git that cleans up would remove the folder.
  await writeFile(join(gitDir, 'gitdir'), `${join(path, '.git')}\n`);
  await writeFile(join(gitDir, 'commondir'), '../..\n');
  await writeFile(join(gitDir, 'HEAD'), `${commit}\n`);
  return { path, gitDir };
}

/** The removal of a repository's last worktree removes their parent too, perhaps between two steps of this function. */
async function makeWorktreeFolder(gitDir: string): Promise<void> {
  const parent = dirname(gitDir);
  const maxTries = 100;
  for (let tries = 1; ; tries += 1) {
    try {
      await mkdir(parent).catch((error: unknown) => {
        if (errorCode(error) !== 'EEXIST') throw error;
      });
      return await mkdir(gitDir);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || tries === maxTries) throw error;
    }
  }
}

/** The branches that are checked out in any working tree. */
export async function checkedOut(commonDir: string): Promise<Set<string>> {
  const linked = (await namesIn(join(commonDir, 'worktrees'))).map((name) => join(commonDir, 'worktrees', name));
  const found = new Set<string>();
  for (const folder of [commonDir, ...linked]) {
    const branch = /^ref: (refs\/heads\/.+?)\n?$/.exec((await readPlain(join(folder, 'HEAD'))) ?? '')?.[1];
    if (branch !== undefined) found.add(branch);
  }
  return found;
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/** The repository's folder for a worktree: the one that names it; the worktree's own file is not trusted. */
async function findWorktreeFolder(git: Git, root: string, path: string): Promise<string | undefined> {
  const real = await realpath(root).catch(() => undefined);
  const found = real === undefined ? undefined : await findGit(git, real);
  if (found === undefined) return undefined;
  const known = join(found.commonDir, 'worktrees');
  for (const name of await namesIn(known)) {
    const named = (await readPlain(join(known, name, 'gitdir')))?.trimEnd();
    if (named === join(path, '.git')) return join(known, name);
  }
  return undefined;
}

/** Cleanup is never aborted, however the attempt ended. */
const unending = new AbortController().signal;

/** Removes a worktree with its content, and its entry in the repository if that still exists. Never fails. */
export async function removeWorktree(git: Git, { path, root }: { path: string; root: string }): Promise<void> {
  const calm: Git = { ...git, run: (args, call) => git.run(args, { ...call, signal: unending }) };
  try {
    const folder = await findWorktreeFolder(calm, root, path);
    await remove(path).catch(() => undefined);
    if (folder === undefined) return;
    await remove(folder);
    // Git does the same after removing the last one.
    await rmdir(dirname(folder)).catch(() => undefined);
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    await remove(path).catch(() => undefined);
  }
}
