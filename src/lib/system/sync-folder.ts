// Makes a rename or a new file in a folder survive a power cut.
import { open } from 'node:fs/promises';

/** Flushes the folder's own entries to disk. Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(folder, 'r');
  await handle.sync();
}
