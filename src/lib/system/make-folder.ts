// A folder that somebody named, with those above it.
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from './error-code.ts';

/**
 * Makes a folder, and those above it, where they are not there. Level by level: Node's own `recursive` never comes back
 * where a filesystem takes no folders (/proc), and says ENOENT of a disk that is read-only.
 * @param mode of what is made here
 * @throws the system's error; EEXIST or ENOTDIR for what is a file
 */
export async function makeFolder(folder: string, mode: number): Promise<void> {
  const parent = path.dirname(folder);
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if (await isFolder(folder)) return;
    if (errorCode(error) !== 'ENOENT' || parent === folder || (await isFolder(parent))) throw error;
    await makeFolder(parent, mode);
    // Somebody else may be making it too.
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
