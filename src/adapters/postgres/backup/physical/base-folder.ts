// The folder BACKUP_DIR: base backups, the log of changes, and what an earlier database left there.
import { chown, lstat, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { createZstdCompress } from 'node:zlib';
import { createReadStream } from 'node:fs';
import { z } from 'zod';
import type { BaseBackup } from '../../../../domain/ports/recovery/base-backups.ts';
import { tryParseJson } from '../../../../lib/json/json-text.ts';
import { errorCode } from '../../../../lib/system/error-code.ts';
import { makeFolder } from '../../../../lib/system/make-folder.ts';
import { syncFolder } from '../../../../lib/system/sync-folder.ts';
import type { UserIds } from '../../embedded/process/system-user.ts';
import { parseHistoryName, parseSegment, segmentOf } from './wal.ts';

const baseRecord = z.strictObject({
  id: z.string(),
  system: z.string(),
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime(),
  timeline: z.int(),
  start_lsn: z.string(),
  end_lsn: z.string(),
  bytes: z.int(),
});

/** Written last: a folder without it is half made. */
const recordName = 'base.json';
const systemName = 'system.json';
const earlierPrefix = 'earlier-';

export class BaseFolder {
  readonly path: string;

  constructor(folder: string) {
    this.path = folder;
  }

  get wal(): string {
    return path.join(this.path, 'wal');
  }

  get bases(): string {
    return path.join(this.path, 'bases');
  }

  baseDir(id: string): string {
    return path.join(this.bases, id);
  }

  /**
   * Makes the folders for this cluster. What another cluster has left there is set aside: its log has the same names.
   * @param owner the user that PostgreSQL runs as, when not this one
   */
  async prepare(system: string, owner: UserIds | undefined, now: number): Promise<void> {
    await makeFolder(this.path, 0o700);
    const found = await this.#system();
    if (found !== undefined && found !== system) await this.#setAside(now);
    for (const folder of [this.wal, this.bases]) {
      await makeFolder(folder, 0o700);
      if (owner !== undefined && (await lstat(folder)).uid !== owner.uid) await chown(folder, owner.uid, owner.gid);
    }
    if (found !== system) await writeJson(path.join(this.path, systemName), { system });
  }

  async #system(): Promise<string | undefined> {
    const value = tryParseJson(await readIfThere(path.join(this.path, systemName)));
    return z.object({ system: z.string() }).safeParse(value).data?.system;
  }

  async #setAside(now: number): Promise<void> {
    const aside = path.join(this.path, `${earlierPrefix}${stamp(now)}`);
    await mkdir(aside, { mode: 0o700 });
    for (const name of ['bases', 'wal', systemName]) {
      await rename(path.join(this.path, name), path.join(aside, name)).catch((error: unknown) => {
        if (errorCode(error) !== 'ENOENT') throw error;
      });
    }
    await syncFolder(this.path);
  }

  /** Whole base backups, oldest first. */
  async list(): Promise<BaseBackup[]> {
    const names = await readNames(this.bases);
    const found = await Promise.all(names.map((name) => this.#read(name)));
    return found.filter((base) => base !== undefined).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  async #read(name: string): Promise<BaseBackup | undefined> {
    const value = tryParseJson(await readIfThere(path.join(this.baseDir(name), recordName)));
    const record = baseRecord.safeParse(value).data;
    if (record === undefined || record.id !== name) return undefined;
    const { id, timeline, bytes, started_at: startedAt, ended_at: endedAt } = record;
    return { id, timeline, bytes, startedAt, endedAt, startLsn: record.start_lsn, endLsn: record.end_lsn };
  }

  /** Marks a base backup as whole. */
  async record(base: BaseBackup, system: string): Promise<void> {
    const record: z.infer<typeof baseRecord> = {
      id: base.id,
      system,
      started_at: base.startedAt,
      ended_at: base.endedAt,
      timeline: base.timeline,
      start_lsn: base.startLsn,
      end_lsn: base.endLsn,
      bytes: base.bytes,
    };
    await writeJson(path.join(this.baseDir(base.id), recordName), record);
    await syncFolder(this.bases);
  }

  /** Removes base backups; the record goes first, so that a half removed one is not taken for whole. */
  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      await rm(path.join(this.baseDir(id), recordName), { force: true });
      await rm(this.baseDir(id), { recursive: true, force: true });
    }
  }

  /** Removes half made base backups of killed services, and the log before the oldest base backup. */
  async tidy(kept: readonly BaseBackup[]): Promise<void> {
    const known = new Set(kept.map(({ id }) => id));
    await this.remove((await readNames(this.bases)).filter((name) => !known.has(name)));
    const oldest = Math.min(...kept.map(({ startLsn }) => segmentOf(startLsn)));
    for (const name of await readNames(this.wal)) {
      const segment = parseSegment(name);
      if (segment !== undefined && segment.number < oldest) await rm(path.join(this.wal, name), { force: true });
      else if (segment?.form === 'plain') await compress(path.join(this.wal, name));
    }
  }

  /** Stores a file that says from which timelines one comes, unless it is there. */
  async storeHistory(name: string, content: string): Promise<void> {
    if (parseHistoryName(name) === undefined || (await readIfThere(path.join(this.wal, name))) !== '') return;
    await writeWhole(path.join(this.wal, name), content);
  }

  /** Removes what earlier clusters left, once it is older than that. */
  async dropEarlier(before: number): Promise<void> {
    for (const name of (await readNames(this.path)).filter((one) => one.startsWith(earlierPrefix))) {
      const { mtimeMs } = await stat(path.join(this.path, name));
      if (mtimeMs < before) await rm(path.join(this.path, name), { recursive: true, force: true });
    }
  }
}

/** A name in the order of time: `20260102T030405Z`. */
export function stamp(now: number): string {
  return new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
}

/** Most of a segment that was closed by time is zeros. PostgreSQL may store the same segment again after a crash. */
async function compress(file: string): Promise<void> {
  const half = `${file}.zst.half`;
  {
    await using handle = await open(half, 'w', 0o600);
    await handle.writeFile(createReadStream(file).pipe(createZstdCompress()));
    await handle.sync();
  }
  await rename(half, `${file}.zst`);
  await syncFolder(path.dirname(file));
  await rm(file);
}

async function readNames(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
}

async function readIfThere(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return '';
    throw error;
  });
}

function writeJson(file: string, value: unknown): Promise<void> {
  return writeWhole(file, `${JSON.stringify(value)}\n`);
}

async function writeWhole(file: string, content: string): Promise<void> {
  const half = `${file}.half`;
  {
    await using handle = await open(half, 'w', 0o600);
    await handle.writeFile(content);
    await handle.sync();
  }
  await rename(half, file);
  await syncFolder(path.dirname(file));
}
