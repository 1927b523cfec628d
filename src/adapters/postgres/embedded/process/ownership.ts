// Ownership of PostgreSQL's files: it rejects a folder of any other user than the one that it runs as.
import { chmod, lchown, lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Launcher } from './launch.ts';

/** Gives `dir` and its content to the launcher's user, the folder itself last: an interrupted run is repeated. */
export async function giveToOwner(dir: string, launcher: Launcher): Promise<void> {
  if (launcher.owner === undefined) return;
  const { uid, gid } = launcher.owner;
  if ((await lstat(dir)).uid === uid) return;
  for (const entry of await readdir(dir, { recursive: true })) await lchown(path.join(dir, entry), uid, gid);
  await lchown(dir, uid, gid);
}

/** Lets another user pass through DATA_DIR to what is its own; what lies beside it is closed by its own mode. */
export async function allowTraversal(dataDir: string, launcher: Launcher): Promise<void> {
  if (launcher.how !== 'other_user') return;
  const { mode } = await lstat(dataDir);
  await chmod(dataDir, (mode & 0o7777) | 0o001);
}
