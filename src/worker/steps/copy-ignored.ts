// Takes ignored files of the user's folder (`.env.test`) over into a clean working tree.
import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, realpath } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { errorCode } from '../../lib/system/error-code.ts';

interface IgnoredCopy {
  /** Top folder of the user's working tree, with links resolved. */
  readonly from: string;
  /** Top folder of the new working tree, with links resolved. */
  readonly to: string;
  /** Paths of files and folders relative to both. */
  readonly paths: readonly string[];
}

/**
 * Copies files and folders that the new tree lacks; links, `.git` and missing ones are skipped.
 * @returns the paths that were copied
 */
export async function copyIgnored({ from, to, paths }: IgnoredCopy): Promise<string[]> {
  const copied: string[] = [];
  for (const path of paths.map(normalize)) {
    if (!isInside(path) || !(await hasRealParents(from, path)) || !(await makeParents(to, path))) continue;
    if (await copyEntry(join(from, path), join(to, path))) copied.push(path.replace(/\/$/, ''));
  }
  return copied;
}

function isInside(path: string): boolean {
  const parts = path.split('/');
  return !path.startsWith('/') && path !== '.' && !parts.includes('..') && !parts.includes('.git');
}

/** Whether no folder on the way is a link, so that the path leads to the folder that it names. */
async function hasRealParents(root: string, path: string): Promise<boolean> {
  const parent = dirname(join(root, path));
  return (await realpath(parent).catch(() => undefined)) === parent;
}

async function makeParents(root: string, path: string): Promise<boolean> {
  let at = root;
  for (const part of dirname(path)
    .split('/')
    .filter((one) => one !== '.')) {
    at = join(at, part);
    const found = await lstat(at).catch(() => undefined);
    if (found === undefined) await mkdir(at);
    else if (!found.isDirectory()) return false;
  }
  return true;
}

/** @returns false where nothing was copied: the target is there, or the source is neither a file nor a folder */
async function copyEntry(from: string, to: string): Promise<boolean> {
  const source = await lstat(from).catch(() => undefined);
  if (source?.isDirectory() === true) {
    const target = await lstat(to).catch(() => undefined);
    if (target !== undefined && !target.isDirectory()) return false;
    if (target === undefined) await mkdir(to);
    let some = false;
    for (const name of await readdir(from)) {
      if (name !== '.git') some = (await copyEntry(join(from, name), join(to, name))) || some;
    }
    return some && target === undefined;
  }
  if (source?.isFile() !== true) return false;
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}
