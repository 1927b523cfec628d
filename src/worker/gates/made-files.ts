// Files and folders of a working tree that its commit does not have.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** All folders of tracked files. */
export function trackedFolders(tracked: Iterable<string>): Set<string> {
  const folders = new Set(['']);
  for (const path of tracked) {
    for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1))
      folders.add(path.slice(0, cut));
  }
  return folders;
}

/**
 * The topmost paths that are not tracked; `.git` is none.
 * @param tree its top folder
 * @param tracked paths of the commit
 */
export async function listMadeFiles(tree: string, tracked: ReadonlySet<string>): Promise<string[]> {
  const made: string[] = [];
  const folders = trackedFolders(tracked);
  for (const folder of folders) {
    const found = await readdir(join(tree, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of found) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const isTrackedFolder = entry.isDirectory() && folders.has(path);
      if (path !== '.git' && !tracked.has(path) && !isTrackedFolder) made.push(path);
    }
  }
  return made.toSorted();
}
