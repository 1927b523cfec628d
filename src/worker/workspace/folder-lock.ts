// Allows one attempt at a time in a shared folder: a lock file in the worker's state folder.
import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { isAlive, ownIdentity } from '../../lib/system/process-identity.ts';
import { errorCode } from '../../lib/system/error-code.ts';
import { sha256 } from '../../lib/digest.ts';
import { readIfPresent } from '../../lib/system/read-if-present.ts';
import { tryParseJson } from '../../lib/json/json-text.ts';

const holder = z.object({ pid: z.int(), start: z.string(), lock: z.uuid() });

const pollMs = 100;

/** The owner of a lock file that was half written when the machine crashed: no living process. */
const nobody = { pid: 0, start: 'nobody', lock: '' };

async function readHolder(file: string): Promise<z.infer<typeof holder> | undefined> {
  const text = await readIfPresent(file);
  return text === undefined ? undefined : (holder.safeParse(tryParseJson(text)).data ?? nobody);
}

/** Takes the lock if it is free. The link creates the file atomically. */
async function tryLock(file: string, source: string): Promise<boolean> {
  try {
    await link(source, file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the lock of a dead worker. If the lock changed meanwhile, it is put back. */
async function breakStale(file: string): Promise<void> {
  const seen = await readHolder(file);
  if (seen === undefined || (await isAlive(seen))) return;
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  const moved = await readHolder(aside);
  if (moved !== undefined && moved.lock !== seen.lock) await tryLock(file, aside);
  await rm(aside, { force: true });
}

function locksIn(stateDir: string): string {
  return join(stateDir, 'locks');
}

/**
 * Removes temporary files beside the locks that killed processes left behind.
 * @param beforeMs by the disk's clock: a younger file may be in the making
 */
export async function sweepLocks(stateDir: string, beforeMs: number): Promise<void> {
  const names = await readdir(locksIn(stateDir)).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  for (const name of names.filter((one) => one.includes('.'))) {
    const file = join(locksIn(stateDir), name);
    const [seen, found] = [await readHolder(file), await stat(file).catch(() => undefined)];
    if (seen === undefined || found === undefined || found.mtimeMs >= beforeMs) continue;
    if (!(await isAlive(seen))) await rm(file, { force: true });
  }
}

/**
 * Waits until no other attempt works in `path`, including those of other processes with the same `stateDir`. The lock
 * of a dead process is broken.
 * @param onWait called once when the folder is locked
 * @returns undefined when `signal` aborted first
 */
export async function lockFolder(
  path: string,
  options: { stateDir: string; signal: AbortSignal; onWait: () => Promise<void> },
): Promise<AsyncDisposable | undefined> {
  const folder = locksIn(options.stateDir);
  await mkdir(folder, { recursive: true });
  const lock = randomUUID();
  const ownFile = join(folder, `${lock}.own`);
  const file = join(folder, sha256(path, 'hex').slice(0, 32));
  await writeFile(ownFile, JSON.stringify({ ...(await ownIdentity()), lock }));
  try {
    for (let waited = false; !(await tryLock(file, ownFile)); waited = true) {
      if (!waited) await options.onWait();
      if (options.signal.aborted) return undefined;
      await breakStale(file);
      await delay(pollMs);
    }
  } finally {
    await rm(ownFile, { force: true });
  }
  return { [Symbol.asyncDispose]: () => rm(file, { force: true }) };
}
