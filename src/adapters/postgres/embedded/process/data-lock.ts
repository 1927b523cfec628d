// The exclusive lock on DATA_DIR: one service at a time, and a kill -9 of its holder frees it at once.
import { constants } from 'node:fs';
import { access, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { EmbeddedPostgresError } from './error.ts';
import { errorCode } from '../../../../lib/system/error-code.ts';
import { readIfPresent } from '../../../../lib/system/read-if-present.ts';

/** Held until `release()`, which may be called twice, or until the process ends in whatever way. */
interface DataLock extends AsyncDisposable {
  release(): Promise<void>;
}

/**
 * Takes the lock of `dataDir`, a folder that exists.
 *
 * Node has no file lock of its own. A file with a process id in it cannot be taken over without a race, and the number
 * means nothing in another container. SQLite, which is part of Node, holds a true lock of the operating system
 * (fcntl, LockFileEx) for as long as a transaction is open: the kernel decides every race and drops it with its holder.
 *
 * Nothing else in this process may open the file `lock`: closing it would drop the lock (POSIX).
 * @throws EmbeddedPostgresError `data_dir_locked`, naming the holder's process id
 */
export async function lockDataDir(dataDir: string): Promise<DataLock> {
  const file = path.join(dataDir, 'lock');
  const holderFile = path.join(dataDir, 'lock-holder');
  await refuseReadOnly(file);
  const database = await lockedDatabase(dataDir, file);
  if (database === undefined) throw lockedBy(dataDir, await readHolder(holderFile));
  try {
    await writeFile(holderFile, `${process.pid}\n`, { mode: 0o600 });
  } catch (error) {
    database.close();
    throw error;
  }
  const release = async (): Promise<void> => {
    if (!database.isOpen) return;
    await rm(holderFile, { force: true });
    if (database.isOpen) database.close();
  };
  return { release, [Symbol.asyncDispose]: release };
}

/**
 * A database that this process alone has locked, or undefined when another holds it. Two that try in the same instant
 * can both be rejected, hence the further attempts, for a second.
 */
async function lockedDatabase(dataDir: string, file: string): Promise<DatabaseSync | undefined> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const database = new DatabaseSync(file, { timeout: 0, open: false });
    try {
      database.open();
      // In memory: a journal on disk would be read back, and would need space on a full disk.
      database.exec('pragma journal_mode = memory; begin exclusive');
      return database;
    } catch (error) {
      if (database.isOpen) database.close();
      if (!isBusy(error)) throw unlockable(dataDir, error);
    }
    await delay(50);
  }
  return undefined;
}

/** SQLite would open a file that it may not write for reading, and then lock nothing. */
async function refuseReadOnly(file: string): Promise<void> {
  try {
    await access(file, constants.R_OK | constants.W_OK);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

const sqliteBusy = 5;

function isBusy(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return false;
  // The low byte is the primary code; the rest only details it.
  return (error.errcode & 0xff) === sqliteBusy;
}

/** The holder writes its number just after it has the lock, which by now was a second ago. */
async function readHolder(holderFile: string): Promise<number | undefined> {
  const text = (await readIfPresent(holderFile)) ?? '';
  return /^\d+$/.test(text.trim()) ? Number(text) : undefined;
}

function lockedBy(dataDir: string, holder: number | undefined): EmbeddedPostgresError {
  const who = holder === undefined ? 'another process' : `process ${holder}`;
  return new EmbeddedPostgresError(
    'data_dir_locked',
    `The data folder ${dataDir} is in use by ${who}.`,
    `Stop ${who} first, or give this one a folder of its own with DATA_DIR.`,
  );
}

function unlockable(dataDir: string, cause: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'data_dir_unwritable',
    `The data folder ${dataDir} cannot be locked: ${cause instanceof Error ? cause.message : String(cause)}`,
    'Set DATA_DIR to a folder on a local disk, or set DATABASE_URL to use a PostgreSQL server of your own.',
    { cause },
  );
}
