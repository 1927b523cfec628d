// Checks that two addresses name one database: a migration must not create its tables somewhere else.
import pg from 'pg';
import type { DatabaseAddress } from '../connection/connections.ts';
import { MigrationError } from '../schema/migrate.ts';

/** @throws MigrationError when the address for migrations names another database than the service's */
export async function refuseOtherDatabase(service: DatabaseAddress, migration: DatabaseAddress): Promise<void> {
  const [serviceName, migrationName] = await Promise.all([databaseOf(service), databaseOf(migration)]);
  if (serviceName === migrationName) return;
  throw new MigrationError(
    `MIGRATION_DATABASE_URL names the database "${migrationName}", DATABASE_URL the database "${serviceName}". Name the same in both.`,
  );
}

/** The name that the server itself reports: a pooler in between may use other names. */
async function databaseOf(address: DatabaseAddress): Promise<string> {
  const client = new pg.Client({ ...address, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('select current_database() as name');
    return rows[0]?.name ?? '';
  } finally {
    await client.end();
  }
}
