// Brings up the database that the service uses: the embedded one, or the one at DATABASE_URL; checked and migrated.
import type { Address } from '../adapters/postgres/connections.ts';
import { startEmbeddedPostgres, type EmbeddedServer } from '../adapters/postgres/embedded/server.ts';
import { guardLogin } from '../adapters/postgres/login-guard.ts';
import { migrate } from '../adapters/postgres/migrate.ts';
import { ownerRole, prepareCluster } from '../adapters/postgres/setup.ts';
import type { ServiceConfig } from './service-config.ts';

export interface Database extends AsyncDisposable {
  readonly address: Address;
  /** One line for the start: which database. */
  readonly description: string;
  readonly warnings: readonly string[];
  /** Resolves when the embedded server died by itself; never for an outside one. */
  readonly crashed: Promise<string>;
}

export type DatabaseConfig = Pick<ServiceConfig, 'databaseUrl' | 'migrationDatabaseUrl' | 'dataDir'>;

/** @throws EmbeddedPostgresError, DangerousLoginError, MigrationError; each says what to do */
export async function openDatabase(
  config: DatabaseConfig,
  options: { env: NodeJS.ProcessEnv; log: (line: string) => void },
): Promise<Database> {
  return config.databaseUrl === undefined
    ? openEmbedded(config, options)
    : openOutside(config.databaseUrl, config.migrationDatabaseUrl, options);
}

async function openEmbedded(
  config: DatabaseConfig,
  options: { env: NodeJS.ProcessEnv; log: (line: string) => void },
): Promise<Database> {
  const server: EmbeddedServer = await startEmbeddedPostgres({ dataDir: config.dataDir, ...options });
  try {
    const { service, migration } = await prepareCluster(server.superuser);
    await migrate({ address: migration, ownerRole, log: options.log });
    const warnings = await guardLogin(service);
    return {
      address: service,
      description: `embedded PostgreSQL in ${config.dataDir}`,
      warnings,
      crashed: server.crashed,
      [Symbol.asyncDispose]: () => server.stop(),
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function openOutside(
  url: string,
  migrationUrl: string | undefined,
  options: { log: (line: string) => void },
): Promise<Database> {
  const address = { connectionString: url };
  const warnings = await guardLogin(address);
  await migrate({ address: { connectionString: migrationUrl ?? url }, log: options.log });
  const { host, pathname } = new URL(url);
  return {
    address,
    description: `PostgreSQL at ${host}${pathname}`,
    warnings,
    crashed: new Promise(() => {}),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
