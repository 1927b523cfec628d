// Creates a folder with its parents.
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from './error-code.ts';

/**
 * Creates a folder and its missing parents, level by level: Node's own `recursive` never settles on a filesystem that
 * does not take folders (/proc), and reports ENOENT for a read-only disk.
 * @param mode of the folders that are created
 * @throws the system's error; EEXIST or ENOTDIR when the path, or a parent, is a file
 */
export async function makeFolder(folder: string, mode: number): Promise<void> {
  const parent = path.dirname(folder);
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if (await isFolder(folder)) return;
    if (errorCode(error) !== 'ENOENT' || parent === folder) throw error;
    if (!(await isFolder(parent))) await makeFolder(parent, mode);
    // Tried once more even where the parent exists: another process may have created it since, or this folder too.
    await mkdir(folder, { mode }).catch(async (again: unknown) => {
      if (!(await isFolder(folder))) throw again;
    });
  }
}

async function isFolder(place: string): Promise<boolean> {
  return stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
