// Restores an archive into a data folder: an embedded PostgreSQL is made beside its place, filled, proven, stopped, and moved.
import { proveIsolation } from '../../isolation/isolation-proof.ts';
import { syncCluster } from '../../embedded/cluster.ts';
import { findRunnable, startEmbeddedPostgres } from '../../embedded/server.ts';
import { ownerRole, prepareCluster } from '../../setup/setup.ts';
import type { DatabaseAddress } from '../../connection/connections.ts';
import { BackupError } from '../archive/backup-error.ts';
import { fillDatabase, type FillOptions } from './fill-database.ts';
import { openHalfMade } from './half-made.ts';

export interface EmbeddedRestoreOptions extends Omit<FillOptions, 'onAuditFile' | 'findChain'> {
  readonly dataDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** The folder of audit files, given the data folder that is being made. */
  readonly audit: (dataDir: string) => Pick<FillOptions, 'onAuditFile' | 'findChain'>;
}

/** Nothing of a half made cluster is ever used, so it may be filled without waiting for the disk. */
const fillingSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  maintenance_work_mem: '256MB',
};

/**
 * The folder has the whole installation afterwards, or nothing that starts.
 * @throws BackupError; EmbeddedPostgresError; MigrationError
 */
export async function restoreEmbedded(options: EmbeddedRestoreOptions): Promise<void> {
  const { dataDir, env, log, signal, summary, asClone } = options;
  await using half = await openHalfMade(dataDir, `${summary.header.backup_id} ${asClone ? 'clone' : 'restore'}`);
  if (half.dataDir === undefined) return;
  await startAndFill(half.dataDir, options);
  const place = { dataDir: half.dataDir, env, log, signal };
  await syncCluster({ ...place, runnable: await findRunnable(place) });
  await half.complete();
}

async function startAndFill(half: string, options: EmbeddedRestoreOptions): Promise<void> {
  const { env, log, signal } = options;
  await using server = await startEmbeddedPostgres({
    dataDir: half,
    env,
    log,
    settings: fillingSettings,
    ...(signal && { signal }),
  });
  const { service, migration } = await prepareCluster(server.superuser);
  await fillDatabase(migration, ownerRole, { ...options, ...options.audit(half) });
  await proveRestored(service);
}

/** @throws BackupError restore_unproven */
export async function proveRestored(service: DatabaseAddress, become?: string): Promise<void> {
  const [hole] = (await proveIsolation(service, become)).holes;
  if (hole === undefined) return;
  throw new BackupError(
    'restore_unproven',
    `The restored database does not keep tenants apart: ${hole.where} ${hole.what}.`,
    'Do not start a service on it. `switchyard db status` lists every such place.',
  );
}
