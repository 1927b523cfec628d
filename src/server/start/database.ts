// Opens the service's database, embedded or at DATABASE_URL, then checks and migrates it.
import path from 'node:path';
import {
  archivingSettings,
  forgetArchiving,
  postgresBases,
} from '../../adapters/postgres/backup/physical/postgres-bases.ts';
import type { DatabaseAddress } from '../../adapters/postgres/connection/connections.ts';
import { guardLogin } from '../../adapters/postgres/setup/login-guard.ts';
import { migrate } from '../../adapters/postgres/schema/migrate.ts';
import { refuseOtherDatabase } from '../../adapters/postgres/setup/probe-database.ts';
import { ownerRole, prepareCluster } from '../../adapters/postgres/setup/setup.ts';
import type { BaseBackups } from '../../domain/ports/recovery/base-backups.ts';
import type { ServiceConfig } from '../config/service-config.ts';
import { superviseEmbeddedPostgres } from './supervised-postgres.ts';

export interface Database extends AsyncDisposable {
  readonly address: DatabaseAddress;
  /** Names the database in one line, for the start message. */
  readonly description: string;
  readonly warnings: readonly string[];
  /** Base backups of the embedded server; undefined: none are configured, or an operator's own server has its tools. */
  bases(now: () => number): BaseBackups | undefined;
  /** Ends the embedded server at once, without waiting; an external server is not touched. */
  kill(): void;
}

export type DatabaseConfig = Pick<ServiceConfig, 'databaseUrl' | 'migrationDatabaseUrl' | 'dataDir' | 'backup'>;

export interface DatabaseOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string, details?: unknown) => void;
  /** Aborts the start of the embedded server. */
  readonly signal?: AbortSignal | undefined;
}

/** @throws EmbeddedPostgresError, DangerousLoginError, MigrationError; each names a remedy */
export async function openDatabase(config: DatabaseConfig, options: DatabaseOptions): Promise<Database> {
  return config.databaseUrl === undefined
    ? openEmbedded(config, options)
    : openOutside(config.databaseUrl, config.migrationDatabaseUrl, options);
}

async function openEmbedded(config: DatabaseConfig, options: DatabaseOptions): Promise<Database> {
  await using opened = new AsyncDisposableStack();
  const { dataDir, backup } = config;
  const settings = backup === undefined ? {} : archivingSettings;
  const server = opened.use(await superviseEmbeddedPostgres({ dataDir, settings, ...options }));
  if (backup === undefined) await forgetArchiving(server.superuser);
  const { service, migration } = await prepareCluster(server.superuser);
  await migrate({ address: migration, ownerRole, log: options.log });
  const warnings = await guardLogin(service);
  const running = opened.move();
  return {
    // A restarted server may listen elsewhere; its logins stay the same.
    address: {
      ...service,
      get host() {
        return server.superuser.host;
      },
      get port() {
        return server.superuser.port;
      },
    },
    description: `embedded PostgreSQL in ${config.dataDir}`,
    warnings,
    bases: (now) =>
      backup &&
      postgresBases({
        ...backup,
        superuser: () => server.superuser,
        owner: server.owner,
        dropDir: path.join(dataDir, 'dropped-log'),
        now,
      }),
    kill: () => server.kill(),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function openOutside(
  url: string,
  migrationUrl: string | undefined,
  options: Pick<DatabaseOptions, 'log'>,
): Promise<Database> {
  const address = { connectionString: url };
  const warnings = await guardLogin(address);
  const migration = { connectionString: migrationUrl ?? url };
  if (migrationUrl !== undefined) await refuseOtherDatabase(address, migration);
  await migrate({ address: migration, log: options.log });
  const { host, pathname } = new URL(url);
  return {
    address,
    description: `PostgreSQL at ${host}${pathname}`,
    warnings,
    bases: () => undefined,
    kill: () => undefined,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
