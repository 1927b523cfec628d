// Repositories nested in a working tree: submodules, and ones that an agent made. A snapshot contains the commit of
// each, and nothing else of them is read.
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { gitIn } from './find-git.ts';
import type { Git, GitCall } from './git.ts';
import { staysInside } from './known-links.ts';
import { WorkspaceError } from './workspace-error.ts';

/** The working tree, with the environment in which git finds the index. */
export type Tree = Pick<GitCall, 'env'> & { cwd: string };

/** @returns the paths of nested repositories that the index has, relative to the tree's top folder */
export async function nestedIn(git: Git, tree: Tree): Promise<string[]> {
  const { stdout } = await git.run(['ls-files', '--stage', '-z'], tree);
  const found: string[] = [];
  for (let from = 0; from < stdout.length;) {
    const to = stdout.indexOf(0, from);
    // `mode id stage<TAB>path`
    if (stdout.toString('latin1', from, from + 7) === '160000 ') {
      found.push(stdout.toString('utf8', stdout.indexOf(9, from) + 1, to));
    }
    from = to + 1;
  }
  return found;
}

/** Whether a nested repository's commit is really its own: no link in it leads to another repository. */
async function isSound(git: Git, path: string): Promise<boolean> {
  try {
    const found = await gitIn(git, path);
    return found !== undefined && (await staysInside(found));
  } catch (error) {
    if (error instanceof WorkspaceError) return false;
    throw error;
  }
}

/** Whether an index entry that was a nested repository can still be read. */
async function isReadable(git: Git, path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined || found.isFile() || found.isSymbolicLink()) return true;
  return found.isDirectory() && (await isSound(git, path));
}

async function filter(paths: string[], test: (path: string) => Promise<boolean>): Promise<string[]> {
  const kept: string[] = [];
  for (const path of paths) if (await test(path)) kept.push(path);
  return kept;
}

/**
 * Updates the index entries of nested repositories.
 * @param known those that the index had before; new ones that git added and that are not sound are removed
 */
export async function updateNested(git: Git, tree: Tree, known: string[]): Promise<void> {
  const update = async (how: string[], paths: string[]): Promise<void> => {
    if (paths.length === 0) return;
    await git.run(['update-index', ...how, '-z', '--stdin'], { ...tree, input: paths.join('\0') });
  };
  const there = await filter(known, (path) => isReadable(git, join(tree.cwd, path)));
  await update(['--add', '--remove'], there);
  const added = (await nestedIn(git, tree)).filter((path) => !known.includes(path));
  await update(['--force-remove'], await filter(added, async (path) => !(await isSound(git, join(tree.cwd, path)))));
}
