// Two addresses that should lead to one database: a migration must not make its tables somewhere else.
import pg from 'pg';
import type { Address } from '../connection/connections.ts';
import { MigrationError } from '../schema/migrate.ts';

/** @throws MigrationError when the address for migrations leads elsewhere than the service's own */
export async function refuseOtherDatabase(service: Address, migration: Address): Promise<void> {
  const [own, other] = await Promise.all([databaseOf(service), databaseOf(migration)]);
  if (own === other) return;
  throw new MigrationError(
    `MIGRATION_DATABASE_URL names the database "${other}", DATABASE_URL the database "${own}". Name the same in both.`,
  );
}

/** The server's own word: a pooler in between may have other names. */
async function databaseOf(address: Address): Promise<string> {
  const client = new pg.Client({ ...address, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('select current_database() as name');
    return rows[0]?.name ?? '';
  } finally {
    await client.end();
  }
}
