// Base backups of the embedded PostgreSQL: the server writes them itself, and stores its log by its own module.
import { chown, mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import type { BaseBackup, BaseBackups, LogArchiving } from '../../../../domain/ports/recovery/base-backups.ts';
import { errorCode } from '../../../../lib/system/error-code.ts';
import type { SuperuserAddress } from '../../embedded/readiness.ts';
import type { UserIds } from '../../embedded/process/system-user.ts';
import { BaseFolder, stamp } from './base-folder.ts';
import { segmentBytes } from './wal.ts';

export interface PostgresBasesOptions {
  /** Read anew for each connection: the server may restart elsewhere. */
  readonly superuser: () => SuperuserAddress;
  /** The user that PostgreSQL runs as, when not this one. */
  readonly owner: UserIds | undefined;
  readonly dir: string;
  /** A folder on the disk of the database, for log that is dropped; it is emptied again and again. */
  readonly dropDir: string;
  /** Files that an earlier cluster left in the folder are kept this long. */
  readonly keepDays: number;
  readonly now: () => number;
}

/** Settings that the server must be started with; where the log goes is set while it runs. */
export const archivingSettings = {
  archive_mode: 'on',
  archive_library: 'basic_archive',
  archive_timeout: '60',
  wal_level: 'replica',
};

const dayMs = 86_400_000;
/** Bytes that a base backup leaves free at least. */
const marginBytes = 64 * 1024 * 1024;
/** Log that was dropped is stored again once there is so much room. */
const resumeBytes = 8 * segmentBytes;

interface ArchiverRow {
  readonly failed: string | null;
  readonly is_failing: boolean;
  readonly waiting: string;
  readonly directory: string | null;
}

export function postgresBases(options: PostgresBasesOptions): BaseBackups {
  const { dir, dropDir, owner, keepDays, now } = options;
  const folder = new BaseFolder(dir);
  const query = <R extends pg.QueryResultRow>(text: string): Promise<R[]> =>
    connected(options.superuser(), async (client) => (await client.query<R>(text)).rows);
  let system: string | undefined;
  const systemId = async (): Promise<string> =>
    (system ??=
      (await query<{ id: string }>('select system_identifier::text as id from pg_control_system()'))[0]?.id ?? '');
  return {
    async prepare() {
      await folder.prepare(await systemId(), owner, now());
      await storeHistory(options.superuser(), folder);
      const [current] = await query<{ directory: string | null }>(
        `select current_setting('basic_archive.archive_directory', true) as directory`,
      );
      if (current?.directory === folder.wal) return false;
      const free = await freeBytes(dir);
      if (current?.directory === dropDir && free < resumeBytes) {
        throw new Error(`BACKUP_DIR has ${toMegabytes(free)} left, too little for the log, which is dropped`);
      }
      await storeLogIn(options.superuser(), folder.wal);
      await emptyFolder(dropDir);
      return true;
    },
    async archiving(): Promise<LogArchiving> {
      const [row] = await query<ArchiverRow>(
        `select last_failed_wal as failed, current_setting('basic_archive.archive_directory', true) as directory,
           coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as is_failing,
           (select count(*) from pg_ls_archive_statusdir() where name like '%.ready') as waiting
         from pg_stat_archiver`,
      );
      const isDropping = row?.directory === dropDir;
      if (isDropping) await emptyFolder(dropDir);
      const isFailing = row?.is_failing === true;
      return {
        problem: isDropping
          ? 'too much of it waited, so it is dropped'
          : isFailing
            ? `${row.failed ?? 'a file'} was refused; is ${dir} there, writable, and has it room?`
            : undefined,
        waitingBytes: Number(row?.waiting ?? 0) * segmentBytes,
        isDropping,
      };
    },
    async dropLog() {
      await mkdir(dropDir, { recursive: true, mode: 0o700 });
      if (owner !== undefined) await chown(dropDir, owner.uid, owner.gid);
      await storeLogIn(options.superuser(), dropDir);
    },
    list: () => folder.list(),
    async take(signal) {
      await refuseFullDisk(options);
      const startedAt = now();
      const id = stamp(startedAt);
      const places = await runBaseBackup(options.superuser(), folder.baseDir(id), signal);
      const bytes = await folderBytes(folder.baseDir(id));
      const base: BaseBackup = {
        id,
        startedAt: new Date(startedAt).toISOString(),
        endedAt: new Date(now()).toISOString(),
        timeline: places.timeline,
        startLsn: places.start,
        endLsn: places.end,
        bytes,
      };
      await folder.record(base, await systemId());
      return base;
    },
    async tidy(remove) {
      await folder.remove(remove.map(({ id }) => id));
      const kept = await folder.list();
      // Without a base backup nothing says which of the log is needed.
      if (kept.length > 0) await folder.tidy(kept);
      await folder.dropEarlier(now() - keepDays * dayMs);
    },
  };
}

async function storeLogIn(superuser: SuperuserAddress, folder: string): Promise<void> {
  await connected(superuser, async (client) => {
    await client.query(`alter system set basic_archive.archive_directory = ${pg.escapeLiteral(folder)}`);
    await client.query('select pg_reload_conf()');
  });
}

async function emptyFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  for (const name of names) await rm(path.join(folder, name), { force: true });
}

/** After a recovery the log goes on under a new number. The file that says where was written while nothing was stored. */
async function storeHistory(superuser: SuperuserAddress, folder: BaseFolder): Promise<void> {
  const files = await connected(superuser, async (client) => {
    const answer = await client.query<{ name: string; content: string }>(
      `select name, pg_read_file('pg_wal/' || name) as content from pg_ls_waldir() where name like '%.history'`,
    );
    return answer.rows;
  });
  for (const { name, content } of files) await folder.storeHistory(name, content);
}

/**
 * For a service that starts without BACKUP_DIR: from now on the log is stored nowhere, and a later start with BACKUP_DIR
 * begins with a base backup.
 */
export async function forgetArchiving(superuser: SuperuserAddress): Promise<void> {
  await connected(superuser, async (client) => {
    const { rowCount } = await client.query(
      `select from pg_file_settings where name = 'basic_archive.archive_directory'`,
    );
    if (rowCount === 0) return;
    await client.query('alter system reset basic_archive.archive_directory');
    await client.query('select pg_reload_conf()');
  });
}

async function connected<T>(
  address: SuperuserAddress,
  work: (client: pg.Client) => Promise<T>,
  more: { readonly replication?: string; readonly query_timeout?: number } = { query_timeout: 30_000 },
): Promise<T> {
  const config = { ...address, application_name: 'switchyard-backup', connectionTimeoutMillis: 5_000, ...more };
  const client = new pg.Client(config);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Rows of one column set each: where the backup begins, the tablespaces, where it ends. */
const backupResults = z.array(z.object({ rows: z.array(z.record(z.string(), z.unknown())) }));
const place = z.object({ recptr: z.string(), tli: z.coerce.number() });

/**
 * Level 1 of gzip takes a third of the time of the default one for a tenth more bytes. The log that the copy needs to become
 * consistent is in it.
 */
function baseBackupCommand(target: string): string {
  const detail = pg.escapeLiteral(target);
  return `BASE_BACKUP (LABEL 'switchyard', CHECKPOINT 'fast', WAL true, WAIT false, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256',
    COMPRESSION 'gzip', COMPRESSION_DETAIL 'level=1', TARGET 'server', TARGET_DETAIL ${detail})`;
}

async function runBaseBackup(
  superuser: SuperuserAddress,
  target: string,
  signal: AbortSignal,
): Promise<{ readonly start: string; readonly end: string; readonly timeline: number }> {
  return connected(
    superuser,
    async (client) => {
      // The server notices a closed connection, and leaves a folder without a record.
      const abort = (): void => void client.end();
      signal.addEventListener('abort', abort, { once: true });
      try {
        // A command with several results, which the types of the driver do not know.
        const answer: unknown = await client.query(baseBackupCommand(target));
        const results = backupResults.parse(answer);
        const [start, end] = [place.parse(results.at(0)?.rows[0]), place.parse(findEnd(results))];
        return { start: start.recptr, end: end.recptr, timeline: start.tli };
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
    { replication: 'true' },
  );
}

function findEnd(results: z.infer<typeof backupResults>): unknown {
  return results.flatMap(({ rows }) => rows).findLast((row) => 'recptr' in row);
}

async function freeBytes(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize;
}

function toMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

/** A base backup that fills the disk would take the log's room; an estimate is enough. */
async function refuseFullDisk({ superuser, dir }: PostgresBasesOptions): Promise<void> {
  const free = await freeBytes(dir);
  const [row] = await connected(
    superuser(),
    async (client) =>
      (await client.query<{ bytes: string }>('select sum(pg_database_size(oid)) as bytes from pg_database')).rows,
  );
  // gzip shrinks our rows to a third and less.
  const needed = Number(row?.bytes ?? 0) / 3 + marginBytes;
  if (free >= needed) return;
  throw new Error(`BACKUP_DIR has ${toMegabytes(free)} left, and a base backup may need ${toMegabytes(needed)}`);
}

async function folderBytes(folder: string): Promise<number> {
  const sizes = await Promise.all(
    (await readdir(folder)).map(async (name) => (await stat(path.join(folder, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
