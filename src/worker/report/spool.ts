// Undelivered events and results on disk: one file per lease, written atomically, readable by this user alone.
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

/** Events and release that an attempt still has to deliver. */
const spoolRecord = z.object({
  version: z.literal(1),
  /** The service that granted the lease: another one does not know it. */
  server_url: z.string(),
  task_id: z.string(),
  title: z.string(),
  lease_token: z.string(),
  saved_at: z.string(),
  /** Numbered under the lease, oldest first. */
  events: z.array(workerEvent),
  /** Null while the attempt is running. */
  release: textRelease.nullable(),
});
export type SpoolRecord = z.infer<typeof spoolRecord>;
/** The part of a record that an attempt supplies. */
export type NewSpoolRecord = Pick<
  z.input<typeof spoolRecord>,
  'task_id' | 'title' | 'lease_token' | 'events' | 'release'
>;

export interface SpoolOptions {
  /** The worker's state folder; the spool is `spool` in it. */
  readonly stateDir: string;
  readonly serverUrl: string;
  /** Limit of its total size; dead letters are removed first. */
  readonly maxBytes: number;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: WorkerLog;
}

interface Stored {
  readonly path: string;
  readonly bytes: number;
  readonly changedMs: number;
}

/** A spool in `stateDir`; its folder is created with the first write. */
export class Spool {
  readonly #options: SpoolOptions;
  readonly #service: string;
  readonly #folder: string;
  readonly #deadFolder: string;
  #drafts = 0;
  /** The last write failed, and that was logged. */
  #unwritable = false;

  constructor(options: SpoolOptions) {
    this.#options = options;
    this.#service = new URL(options.serverUrl).href;
    this.#folder = join(options.stateDir, 'spool');
    this.#deadFolder = join(this.#folder, 'dead');
  }

  /** Writes the record of a lease, replacing an earlier one. False when the disk fails, which is logged. */
  put(record: NewSpoolRecord): Promise<boolean> {
    return this.#tryWrite(this.#fileOf(record.lease_token), this.#toSpoolRecord(record));
  }

  /** Removes the record: the service has taken everything. */
  settle(leaseToken: string): Promise<void> {
    return rm(this.#fileOf(leaseToken), { force: true });
  }

  /** The service will never take the record: it is moved to the folder `dead` with the reason. @returns its file */
  async deadLetter(record: NewSpoolRecord, reason: string): Promise<string | undefined> {
    const file = join(this.#deadFolder, spoolFileName(record.lease_token));
    const kept = await this.#tryWrite(file, { ...this.#toSpoolRecord(record), reason });
    if (!kept) return undefined;
    await rm(this.#fileOf(record.lease_token), { force: true });
    return file;
  }

  /** Records of earlier processes of this worker for this service, oldest first. Unreadable ones are moved to `dead`. */
  async records(): Promise<SpoolRecord[]> {
    const { log } = this.#options;
    const files = (await filesIn(this.#folder)).toSorted((a, b) => a.changedMs - b.changedMs);
    for (const { path } of files.filter((file) => file.path.endsWith('.new'))) await rm(path, { force: true });
    const records: SpoolRecord[] = [];
    for (const { path } of files.filter((file) => file.path.endsWith('.json'))) {
      const record = await this.#readRecord(path);
      if (record?.server_url === this.#service) records.push(record);
      else if (record)
        log.warn(
          { task: record.task_id, service: record.server_url },
          'a spooled result is for another service; keeping it',
        );
    }
    return records;
  }

  /** The number of undelivered records and of dead letters. */
  async count(): Promise<{ waiting: number; dead: number }> {
    const waiting = (await filesIn(this.#folder)).filter(({ path }) => path.endsWith('.json'));
    return { waiting: waiting.length, dead: (await filesIn(this.#deadFolder)).length };
  }

  #fileOf(leaseToken: string): string {
    return join(this.#folder, spoolFileName(leaseToken));
  }

  #toSpoolRecord(record: NewSpoolRecord): z.input<typeof spoolRecord> {
    return { version: 1, server_url: this.#service, saved_at: this.#options.clock.now().toISOString(), ...record };
  }

  /** @returns whether it was written; a failure is logged once until a write succeeds */
  async #tryWrite(path: string, value: unknown): Promise<boolean> {
    try {
      await this.#write(path, value);
      this.#unwritable = false;
      return true;
    } catch (error) {
      const message = 'could not write the spool; results are kept in memory only until the service takes them';
      if (!this.#unwritable) this.#options.log.error({ folder: this.#folder, error: describeError(error) }, message);
      this.#unwritable = true;
      return false;
    }
  }

  /** Writes a file completely or not at all. */
  async #write(path: string, value: unknown): Promise<void> {
    const text = JSON.stringify(value);
    await mkdir(this.#deadFolder, { recursive: true, mode: 0o700 });
    await this.#freeSpace(Buffer.byteLength(text), path);
    this.#drafts += 1;
    const draft = `${path}.${this.#drafts}.new`;
    try {
      const file = await open(draft, 'wx', 0o600);
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, path);
      await syncFolder(this.#folder);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  async #freeSpace(bytes: number, replaced: string): Promise<void> {
    const { log, maxBytes } = this.#options;
    const waiting = (await filesIn(this.#folder)).filter(({ path }) => path !== replaced);
    const deadLetters = (await filesIn(this.#deadFolder)).toSorted((a, b) => a.changedMs - b.changedMs);
    let used = [...waiting, ...deadLetters].reduce((sum, file) => sum + file.bytes, bytes);
    for (const file of deadLetters) {
      if (used <= maxBytes) return;
      await rm(file.path, { force: true });
      log.warn({ file: file.path }, 'the spool is full: removed the oldest dead letter');
      used -= file.bytes;
    }
    if (used > maxBytes) throw new Error(`the spool would exceed spool_max_bytes (${maxBytes})`);
  }

  async #readRecord(path: string): Promise<SpoolRecord | undefined> {
    try {
      return spoolRecord.parse(JSON.parse(await readFile(path, 'utf8')));
    } catch (error) {
      await mkdir(this.#deadFolder, { recursive: true, mode: 0o700 });
      const aside = join(this.#deadFolder, `${path.slice(this.#folder.length + 1)}.corrupt`);
      await rename(path, aside);
      this.#options.log.error(
        { file: aside, error: describeError(error).slice(0, 500) },
        'could not read a spooled result; moved it to the dead letters',
      );
      return undefined;
    }
  }
}

/** Hashed, because the token is a secret and a file name is not. */
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
        // Settled just now.
        if (errorCode(error) === 'ENOENT') return undefined;
        throw error;
      });
      return found?.isFile() === true ? { path, bytes: found.size, changedMs: found.mtimeMs } : undefined;
    }),
  );
  return files.filter((file) => file !== undefined);
}
