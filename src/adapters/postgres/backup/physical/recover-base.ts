// Point in time: a base backup and the log after it become a data folder, as everything was at a moment.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { ChainHead } from '../../../../domain/model/audit-line.ts';
import { ownerRole, prepareCluster, serviceDatabase } from '../../setup/setup.ts';
import { migrate } from '../../schema/migrate.ts';
import { syncCluster } from '../../embedded/cluster.ts';
import { keepPassword, newPassword } from '../../embedded/password.ts';
import { findRunnable, startEmbeddedPostgres, type EmbeddedServer } from '../../embedded/server.ts';
import { EmbeddedPostgresError } from '../../embedded/process/error.ts';
import { BackupError } from '../archive/backup-error.ts';
import { openHalfMade } from '../restore/half-made.ts';
import { proveRestored } from '../restore/restore-embedded.ts';
import { recordRestore } from '../settle/record-restore.ts';
import { settleRestore } from '../settle/settle-restore.ts';
import { BaseFolder } from './base-folder.ts';
import { forgetArchiving } from './postgres-bases.ts';
import { chooseBase } from './choose-base.ts';
import { logFolder, removeLeftovers, trustFile, unpackBase } from './unpack-base.ts';

export interface RecoverOptions {
  /** BACKUP_DIR. */
  readonly from: string;
  /** The moment, in milliseconds since 1970; undefined: as late as the log goes. */
  readonly toMs: number | undefined;
  readonly dataDir: string;
  readonly asClone: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** Takes the audit of the recovered database, once it is there. @returns the end of its chain */
  readonly onAudit: (dataDir: string, client: pg.Client) => Promise<ChainHead | undefined>;
}

export interface Recovered {
  readonly baseId: string;
  /** The last change that is in it, ISO 8601. */
  readonly recoveredTo: string;
}

/**
 * The folder has the whole installation afterwards, or nothing that starts.
 * @throws BackupError; EmbeddedPostgresError; MigrationError
 */
export async function recoverBase(options: RecoverOptions): Promise<Recovered> {
  const { from, toMs, dataDir, asClone, env, log, signal } = options;
  const folder = new BaseFolder(from);
  const base = await chooseBase(folder, toMs);
  const identity = `${base.id} ${toMs ?? 'latest'} ${asClone ? 'clone' : 'restore'}`;
  await using half = await openHalfMade(dataDir, identity);
  const target = toMs === undefined ? undefined : new Date(toMs).toISOString();
  if (half.dataDir === undefined) return { baseId: base.id, recoveredTo: target ?? base.endedAt };
  log(`Unpacking the base backup of ${base.startedAt}`);
  await unpackBase(folder, base, half.dataDir);
  const recoveredTo = await startAndRecover(half.dataDir, base.id, target, options);
  await removeLeftovers(half.dataDir);
  const place = { dataDir: half.dataDir, env, log, signal };
  await syncCluster({ ...place, runnable: await findRunnable(place) });
  await half.complete();
  return { baseId: base.id, recoveredTo };
}

async function startAndRecover(
  half: string,
  baseId: string,
  target: string | undefined,
  options: RecoverOptions,
): Promise<string> {
  const { env, signal, asClone } = options;
  const lines: string[] = [];
  const log = (line: string): void => {
    lines.push(line);
    options.log(line);
  };
  const settings = {
    hba_file: `${half}/postgres/${trustFile}`,
    archive_mode: 'off',
    // It runs in the folder of the cluster.
    restore_command: process.platform === 'win32' ? `copy "${logFolder}\\%f" "%p"` : `cp ${logFolder}/%f %p`,
    recovery_target_timeline: 'latest',
    // Without names of zones: the setting is checked before PostgreSQL knows any.
    ...(target !== undefined && {
      recovery_target_time: target.replace('T', ' ').replace('Z', '+00'),
      recovery_target_action: 'promote',
    }),
  };
  try {
    await using server = await startEmbeddedPostgres({
      dataDir: half,
      env,
      log,
      settings,
      recovers: true,
      ...(signal && { signal }),
    });
    const recoveredTo = await untilPromoted(server, target);
    await setPassword(half, server);
    // A service on it begins with a base backup of its own.
    await forgetArchiving(server.superuser);
    const { service, migration } = await prepareCluster(server.superuser);
    await migrate({ address: migration, ownerRole, log: () => undefined });
    await withClient({ ...server.superuser, database: serviceDatabase }, async (client) => {
      const chain = await options.onAudit(half, client);
      await recordRestore(client, { backupId: baseId, kind: 'base', backupAt: recoveredTo, asClone, chain });
    });
    await settleRestore(migration);
    await proveRestored(service);
    return recoveredTo;
  } catch (error) {
    throw explainRecovery(error, lines, target);
  }
}

/** @returns the time of the last transaction that was recovered */
async function untilPromoted(server: EmbeddedServer, target: string | undefined): Promise<string> {
  return withClient(server.superuser, async (client) => {
    for (;;) {
      const crashed = await Promise.race([server.crashed, delay(50)]);
      if (crashed !== undefined) throw new EmbeddedPostgresError('start_failed', crashed, '');
      const { rows } = await client.query<{ recovers: boolean; last: Date | null }>(
        'select pg_is_in_recovery() as recovers, pg_last_xact_replay_timestamp() as last',
      );
      const [row] = rows;
      if (row?.recovers === false) return target ?? row.last?.toISOString() ?? new Date().toISOString();
    }
  });
}

async function setPassword(half: string, server: EmbeddedServer): Promise<void> {
  const password = newPassword();
  await withClient(server.superuser, (client) => client.query(`alter role postgres password '${password}'`));
  await keepPassword(half, password);
}

async function withClient<T>(
  address: ConstructorParameters<typeof pg.Client>[0],
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(address);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function explainRecovery(error: unknown, lines: readonly string[], target: string | undefined): unknown {
  const text = [...lines, error instanceof Error ? error.message : ''].join('\n');
  if (target === undefined || !/recovery ended before configured recovery target was reached/.test(text)) return error;
  return new BackupError(
    'time_not_covered',
    `The log in BACKUP_DIR ends before ${target}.`,
    'Name an earlier time with --to, or leave it out to recover as much as there is.',
    { cause: error },
  );
}
