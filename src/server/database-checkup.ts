// Looks at the database that the service would use, for `doctor`: reachable, safe login, migrations, clock.
import { lookAtDatabase, type DatabaseFacts } from '../adapters/postgres/checkup.ts';
import type { Address } from '../adapters/postgres/connections.ts';
import { guardLogin } from '../adapters/postgres/login-guard.ts';
import { prepareCluster } from '../adapters/postgres/setup.ts';
import type { DatabaseConfig, DatabaseOptions } from './database.ts';
import { explainStartFailure } from './start-failure.ts';
import { superviseEmbeddedPostgres } from './supervised-postgres.ts';

export interface DatabaseCheckup extends DatabaseFacts {
  /** About the login that the service would use. */
  readonly warnings: readonly string[];
}

/**
 * Nothing is migrated. The embedded PostgreSQL is started for it, and stopped again.
 * @throws StartError when the service could not start either
 */
export async function checkUpDatabase(
  config: DatabaseConfig,
  options: DatabaseOptions & { now: () => number },
): Promise<DatabaseCheckup> {
  try {
    const { databaseUrl, migrationDatabaseUrl } = config;
    if (databaseUrl !== undefined) {
      const migration = { connectionString: migrationDatabaseUrl ?? databaseUrl };
      return await look({ connectionString: databaseUrl }, migration, options.now);
    }
    await using server = await superviseEmbeddedPostgres({ dataDir: config.dataDir, ...options });
    const { service, migration } = await prepareCluster(server.superuser);
    return await look(service, migration, options.now);
  } catch (error) {
    throw explainStartFailure(error);
  }
}

async function look(service: Address, migration: Address, now: () => number): Promise<DatabaseCheckup> {
  const warnings = await guardLogin(service);
  return { ...(await lookAtDatabase(migration, now)), warnings };
}
