// A data folder that a restore makes: put together in a folder of its own inside, and moved to its place when it is whole.
import { mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../../../lib/system/error-code.ts';
import { makeFolder } from '../../../../lib/system/make-folder.ts';
import { syncFolder } from '../../../../lib/system/sync-folder.ts';
import { restorePrefix } from '../../embedded/cluster.ts';
import { lockDataDir } from '../../embedded/process/data-lock.ts';
import { BackupError } from '../archive/backup-error.ts';

/** Disposing it frees the folder, and removes what was not completed; after a kill the next restore removes it. */
export interface HalfMade extends AsyncDisposable {
  /** A DATA_DIR; undefined: an interrupted restore of the same backup was whole already, and is in its place now. */
  readonly dataDir: string | undefined;
  /** Moves everything to its place. A kill in between is made up for by the same restore, called again. */
  complete(): Promise<void>;
}

/** Says that the folder is whole, and what it was restored from. */
const completeMark = 'complete';
/** In this order: while the last one is missing, the restore has not happened. */
const parts = ['audit', 'postgres-password', 'postgres'];

/**
 * @param identity what is restored, and how: a restore that was interrupted while it moved is finished for the same one only
 * @throws BackupError restore_not_empty; EmbeddedPostgresError data_dir_locked; the system's error
 */
export async function openHalfMade(dir: string, identity: string): Promise<HalfMade> {
  await makeFolder(dir, 0o700);
  await using opened = new AsyncDisposableStack();
  opened.use(await lockDataDir(dir));
  const halves = (await readdir(dir)).filter((name) => name.startsWith(restorePrefix));
  for (const name of halves) {
    if ((await readMark(path.join(dir, name))) !== identity) continue;
    await moveParts(path.join(dir, name), dir);
    const lock = opened.move();
    return { dataDir: undefined, complete: () => Promise.resolve(), [Symbol.asyncDispose]: () => lock.disposeAsync() };
  }
  await refuseContent(dir);
  for (const name of halves) await remove(path.join(dir, name));
  const half = await mkdtemp(path.join(dir, restorePrefix));
  const lock = opened.move();
  let isWhole = false;
  return {
    dataDir: half,
    async complete() {
      {
        await using mark = await open(path.join(half, completeMark), 'w', 0o600);
        await mark.writeFile(identity);
        await mark.sync();
      }
      await syncFolder(half);
      isWhole = true;
      await moveParts(half, dir);
    },
    async [Symbol.asyncDispose]() {
      if (!isWhole) await remove(half);
      await lock.disposeAsync();
    },
  };
}

/** Leftovers of restores and the lock are no content. @throws BackupError restore_not_empty */
export async function refuseContent(dir: string): Promise<void> {
  const names = await readdir(dir).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  const content = names.find((name) => !name.startsWith(restorePrefix) && !/^lock(-holder|-journal)?$/.test(name));
  if (content === undefined) return;
  throw new BackupError(
    'restore_not_empty',
    `The folder ${dir} is not empty: it holds ${content}.`,
    'Name an empty folder, or one that does not exist yet, with --data-dir; or move this one away first.',
  );
}

async function readMark(half: string): Promise<string | undefined> {
  try {
    return await readFile(path.join(half, completeMark), 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function moveParts(half: string, dir: string): Promise<void> {
  for (const name of parts) {
    try {
      await rename(path.join(half, name), path.join(dir, name));
    } catch (error) {
      // There were none, or an earlier try has moved it.
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }
  await syncFolder(dir);
  // The mark goes last: while the folder is there, it says that the restore was whole.
  for (const name of (await readdir(half)).filter((entry) => entry !== completeMark))
    await remove(path.join(half, name));
  await remove(half);
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
