// Takes a backup of an installation: of the embedded database, running or not, or of one's own, with its audit files.
import { once } from 'node:events';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { readAuditFiles } from '../../adapters/audit-file/backup-files.ts';
import { packArchive, writeWhole } from '../../adapters/postgres/backup/archive/archive-file.ts';
import { writeArchive } from '../../adapters/postgres/backup/archive/archive-writer.ts';
import { BackupError } from '../../adapters/postgres/backup/archive/backup-error.ts';
import { openSnapshot } from '../../adapters/postgres/backup/tables/dump-tables.ts';
import type { OnProgress } from '../../adapters/postgres/backup/restore/verify-archive.ts';
import type { DatabaseAddress } from '../../adapters/postgres/connection/connections.ts';
import { answers, findRunningServer } from '../../adapters/postgres/embedded/find-running-server.ts';
import { hasCluster } from '../../adapters/postgres/embedded/cluster.ts';
import { serviceDatabase } from '../../adapters/postgres/setup/setup.ts';
import type { ServiceConfig } from '../config/service-config.ts';
import type { DatabaseOptions } from '../start/database.ts';
import { superviseEmbeddedPostgres } from '../start/supervised-postgres.ts';
import { explainBackupFailure } from './explain-failure.ts';

export interface BackUpOptions extends DatabaseOptions {
  readonly config: Pick<ServiceConfig, 'databaseUrl' | 'dataDir' | 'audit'>;
  readonly version: string;
  /** A file, or a stream that takes the bytes. */
  readonly target: string | Writable;
  /** Public keys of age; none: the backup is not encrypted. */
  readonly recipients: readonly string[];
  readonly onProgress: OnProgress;
}

export interface BackupReport {
  readonly backupId: string;
  /** The moment that all rows are of, ISO 8601. */
  readonly takenAt: string;
  readonly tables: number;
  readonly auditFiles: number;
  /** Bytes written. */
  readonly bytes: number;
}

/** @throws StartError */
export async function backUp(options: BackUpOptions): Promise<BackupReport> {
  const { config, version, target, recipients, onProgress } = options;
  try {
    await using database = await openForBackup(options);
    await using snapshot = await openSnapshot(database.address, `switchyard ${version}`);
    const { header, estimatedBytes } = snapshot;
    let auditFiles = 0;
    const archive = writeArchive({
      header,
      rows: (table, part) => snapshot.rows(table, part),
      async *auditFiles() {
        for await (const file of readAuditFiles(config.audit.logPath)) {
          auditFiles += 1;
          yield file;
        }
      },
      onProgress: ({ table, bytes }) =>
        onProgress({ step: 'write', table, done: bytes, total: Math.max(bytes, estimatedBytes) }),
    });
    const packed = await packArchive(archive, recipients);
    const bytes = typeof target === 'string' ? await writeWhole(target, packed) : await writeTo(target, packed);
    const { backup_id: backupId, taken_at: takenAt, tables } = header;
    return { backupId, takenAt, tables: tables.length, auditFiles, bytes };
  } catch (error) {
    throw explainBackupFailure(error, typeof target === 'string' ? path.dirname(target) : '');
  }
}

async function writeTo(target: Writable, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let written = 0;
  for await (const chunk of bytes) {
    written += chunk.length;
    if (!target.write(chunk)) await once(target, 'drain');
  }
  return written;
}

interface OpenForBackup extends AsyncDisposable {
  readonly address: DatabaseAddress;
}

/** The database of a running service, else a server of its own for the time of the backup. */
async function openForBackup({ config, env, log, signal }: BackUpOptions): Promise<OpenForBackup> {
  const { databaseUrl, dataDir } = config;
  const nothing = { [Symbol.asyncDispose]: () => Promise.resolve() };
  if (databaseUrl !== undefined) return { address: { connectionString: databaseUrl }, ...nothing };
  const running = await findRunningServer(dataDir);
  if (running !== undefined && (await answers(running))) {
    return { address: { ...running, database: serviceDatabase }, ...nothing };
  }
  if (!(await hasCluster(dataDir))) {
    throw new BackupError(
      'no_database',
      `There is no database in ${dataDir}.`,
      'Name the folder of the service with --data-dir or DATA_DIR, or its database with DATABASE_URL.',
    );
  }
  const server = await superviseEmbeddedPostgres({ dataDir, env, log, signal });
  return {
    address: { ...server.superuser, database: serviceDatabase },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
