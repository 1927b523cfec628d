// What the service has not taken yet, on disk: one file for each lease, whole or not there, for this user alone.
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { textRelease, workerEvent } from '../../contracts/worker.ts';
import type { Clock } from '../base/clock.ts';
import type { WorkerLog } from '../base/log.ts';
import { describeError } from '../base/service-error.ts';
import { errorCode } from '../../lib/system/error-code.ts';
import { sha256 } from '../../lib/digest.ts';
import { syncFolder } from '../../lib/system/sync-folder.ts';

/** What a run still owes the service. */
const spoolRecord = z.object({
  version: z.literal(1),
  /** The service that gave the lease: another one does not know it. */
  server_url: z.string(),
  task_id: z.string(),
  title: z.string(),
  lease_token: z.string(),
  saved_at: z.string(),
  /** Numbered under the lease, oldest first. */
  events: z.array(workerEvent),
  /** Null while the run goes on. */
  release: textRelease.nullable(),
});
export type SpoolRecord = z.infer<typeof spoolRecord>;
/** As a run hands it over. */
export type NewSpoolRecord = Pick<
  z.input<typeof spoolRecord>,
  'task_id' | 'title' | 'lease_token' | 'events' | 'release'
>;

export interface Spool {
  /** Writes what a lease owes, in place of what it owed before. False when the disk does not take it, which is logged. */
  put(record: NewSpoolRecord): Promise<boolean>;
  /** The service has taken it all. */
  settle(leaseToken: string): Promise<void>;
  /** The service will never take it: it is set aside in the folder `dead` with the reason. @returns its file */
  deadLetter(record: NewSpoolRecord, reason: string): Promise<string | undefined>;
  /** What an earlier life of this worker still owes to this service, oldest first. What cannot be read is set aside. */
  records(): Promise<SpoolRecord[]>;
  /** How many results and events wait, and how many were set aside. */
  count(): Promise<{ waiting: number; dead: number }>;
}

export interface SpoolOptions {
  /** The worker's own folder; the spool is `spool` in it. */
  stateDir: string;
  serverUrl: string;
  /** Bound of everything in it; what was set aside goes first. */
  maxBytes: number;
  clock: Pick<Clock, 'now'>;
  log: WorkerLog;
}

interface Stored {
  path: string;
  bytes: number;
  changedMs: number;
}

/** A spool in `stateDir`; its folder is made when something is written. */
export function createSpool({ stateDir, serverUrl, maxBytes, clock, log }: SpoolOptions): Spool {
  const service = new URL(serverUrl).href;
  const folder = join(stateDir, 'spool');
  const deadFolder = join(folder, 'dead');
  let [drafts, unwritable] = [0, false];

  /** Whole on the disk, or not there. */
  async function write(path: string, value: unknown): Promise<void> {
    const text = JSON.stringify(value);
    await mkdir(deadFolder, { recursive: true, mode: 0o700 });
    await freeSpace(Buffer.byteLength(text), path);
    drafts += 1;
    const draft = `${path}.${drafts}.new`;
    try {
      const file = await open(draft, 'wx', 0o600);
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, path);
      await syncFolder(folder);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  async function freeSpace(bytes: number, replaced: string): Promise<void> {
    const waiting = (await filesIn(folder)).filter(({ path }) => path !== replaced);
    const deadLetters = (await filesIn(deadFolder)).toSorted((a, b) => a.changedMs - b.changedMs);
    let used = [...waiting, ...deadLetters].reduce((sum, file) => sum + file.bytes, bytes);
    for (const file of deadLetters) {
      if (used <= maxBytes) return;
      await rm(file.path, { force: true });
      log.warn({ file: file.path }, 'the spool is full: a result that was set aside is gone');
      used -= file.bytes;
    }
    if (used > maxBytes) throw new Error(`it would be larger than spool_max_bytes (${maxBytes})`);
  }

  /** @returns whether it was written; the log says when it could not be, once until it can again */
  async function tryWrite(path: string, value: unknown): Promise<boolean> {
    try {
      await write(path, value);
      unwritable = false;
      return true;
    } catch (error) {
      const message = 'the spool cannot be written: results wait in memory alone until the service takes them';
      if (!unwritable) log.error({ folder, error: describeError(error) }, message);
      unwritable = true;
      return false;
    }
  }

  function toSpoolRecord(record: NewSpoolRecord): z.input<typeof spoolRecord> {
    return { version: 1, server_url: service, saved_at: clock.now().toISOString(), ...record };
  }

  async function readRecord(path: string): Promise<SpoolRecord | undefined> {
    try {
      return spoolRecord.parse(JSON.parse(await readFile(path, 'utf8')));
    } catch (error) {
      await mkdir(deadFolder, { recursive: true, mode: 0o700 });
      const aside = join(deadFolder, `${path.slice(folder.length + 1)}.corrupt`);
      await rename(path, aside);
      log.error(
        { file: aside, error: describeError(error).slice(0, 500) },
        'a spooled result cannot be read, set aside',
      );
      return undefined;
    }
  }

  return {
    put: (record) => tryWrite(join(folder, spoolFileName(record.lease_token)), toSpoolRecord(record)),
    settle: (leaseToken) => rm(join(folder, spoolFileName(leaseToken)), { force: true }),
    async deadLetter(record, reason) {
      const file = join(deadFolder, spoolFileName(record.lease_token));
      const kept = await tryWrite(file, { ...toSpoolRecord(record), reason });
      if (!kept) return undefined;
      await rm(join(folder, spoolFileName(record.lease_token)), { force: true });
      return file;
    },
    async records() {
      const files = (await filesIn(folder)).toSorted((a, b) => a.changedMs - b.changedMs);
      for (const { path } of files.filter((file) => file.path.endsWith('.new'))) await rm(path, { force: true });
      const records: SpoolRecord[] = [];
      for (const { path } of files.filter((file) => file.path.endsWith('.json'))) {
        const record = await readRecord(path);
        if (record?.server_url === service) records.push(record);
        else if (record)
          log.warn({ task: record.task_id, service: record.server_url }, 'a spooled result is for another service');
      }
      return records;
    },
    async count() {
      const waiting = (await filesIn(folder)).filter(({ path }) => path.endsWith('.json'));
      return { waiting: waiting.length, dead: (await filesIn(deadFolder)).length };
    },
  };
}

/** The token is a secret, and a file's name is not. */
function spoolFileName(leaseToken: string): string {
  return `${sha256(leaseToken, 'hex').slice(0, 32)}.json`;
}

async function filesIn(folder: string): Promise<Stored[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  const files = await Promise.all(
    names.map(async (name): Promise<Stored | undefined> => {
      const path = join(folder, name);
      const found = await stat(path).catch((error: unknown) => {
        // Settled in this moment.
        if (errorCode(error) === 'ENOENT') return undefined;
        throw error;
      });
      return found?.isFile() === true ? { path, bytes: found.size, changedMs: found.mtimeMs } : undefined;
    }),
  );
  return files.filter((file) => file !== undefined);
}
