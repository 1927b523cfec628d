// Makes a rename or a new file in a folder survive a power cut.
import { open } from 'node:fs/promises';

/** Flushes the folder's own entries to disk. Windows has no such call and needs none. */
export async function syncDirectory(dir: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using folder = await open(dir, 'r');
  await folder.sync();
}
