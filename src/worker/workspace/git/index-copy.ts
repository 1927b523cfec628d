// Copies of a repository's index, so that git does not work on the original.
import { constants } from 'node:fs';
import { copyFile, lstat, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../../lib/system/error-code.ts';
import { WorkspaceError } from './workspace-error.ts';

/**
 * Copies an index with its modification time: git trusts its entries for files older than it, and reads the others. A
 * newer copy would hide an edit of the same length in the second in which the index was written.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  try {
    const found = await lstat(from);
    if (!found.isFile()) throw new WorkspaceError('workspace_unusable', `${from} is not a file.`);
    await copyFile(from, to);
    await utimes(to, found.atime, Math.floor(found.mtimeMs / 1000));
  } catch (error) {
    // A repository to which nothing was ever added has no index yet.
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** A split index keeps most of its entries in a file beside it. */
export async function copySharedIndexes(gitDir: string, folder: string): Promise<void> {
  for (const entry of await readdir(gitDir, { withFileTypes: true })) {
    if (!entry.isFile() || !/^sharedindex\.[0-9a-f]{40,64}$/.test(entry.name)) continue;
    await copyFile(join(gitDir, entry.name), join(folder, entry.name), constants.COPYFILE_FICLONE);
  }
}
