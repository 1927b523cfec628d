// Checks the database that the service would use, for `doctor`: reachable, safe login, migrations, clock,
// and the proof that tenants are isolated.
import { probeDatabase, type DatabaseFacts } from '../../adapters/postgres/setup/probe-database.ts';
import type { DatabaseAddress } from '../../adapters/postgres/connection/connections.ts';
import { findRunningServer } from '../../adapters/postgres/embedded/find-running-server.ts';
import { proveIsolation, type IsolationProof } from '../../adapters/postgres/isolation/isolation-proof.ts';
import { guardLogin } from '../../adapters/postgres/setup/login-guard.ts';
import { prepareCluster, serviceDatabase, serviceLogin } from '../../adapters/postgres/setup/setup.ts';
import type { DatabaseConfig, DatabaseOptions } from './database.ts';
import { explainStartFailure } from './start-failure.ts';
import { superviseEmbeddedPostgres } from './supervised-postgres.ts';

export interface DatabaseCheckup extends DatabaseFacts {
  /** About the login that the service would use. */
  readonly warnings: readonly string[];
  /** Undefined while migrations are pending. */
  readonly isolation: IsolationProof | undefined;
}

/**
 * Migrates nothing. The embedded PostgreSQL is started for the check and stopped again.
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
      return await inspectDatabase({ connectionString: databaseUrl }, migration, options.now);
    }
    await using server = await superviseEmbeddedPostgres({ dataDir: config.dataDir, ...options });
    const { service, migration } = await prepareCluster(server.superuser);
    return await inspectDatabase(service, migration, options.now);
  } catch (error) {
    throw explainStartFailure(error);
  }
}

/**
 * Checks the embedded PostgreSQL of a running service.
 * @returns undefined when none runs on this folder, or this user may not read how to reach it
 * @throws StartError when it does not answer
 */
export async function checkUpRunningDatabase(dataDir: string, now: () => number): Promise<DatabaseCheckup | undefined> {
  try {
    const superuser = await findRunningServer(dataDir);
    if (superuser === undefined) return undefined;
    const address = { ...superuser, database: serviceDatabase };
    // Only the service knows the password of its login; the superuser may act as that role.
    return await gatherFacts(address, address, now, serviceLogin);
  } catch (error) {
    throw explainStartFailure(error);
  }
}

async function inspectDatabase(
  service: DatabaseAddress,
  migration: DatabaseAddress,
  now: () => number,
): Promise<DatabaseCheckup> {
  const warnings = await guardLogin(service);
  return { ...(await gatherFacts(service, migration, now)), warnings };
}

async function gatherFacts(
  service: DatabaseAddress,
  migration: DatabaseAddress,
  now: () => number,
  asRole?: string,
): Promise<DatabaseCheckup> {
  const facts = await probeDatabase(migration, now);
  const isReady = facts.pendingMigrations?.length === 0;
  return { ...facts, warnings: [], isolation: isReady ? await proveIsolation(service, asRole) : undefined };
}
