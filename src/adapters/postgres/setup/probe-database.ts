// Looks at a database without changing it: for `doctor` its version, clock and missing migrations; whether two addresses name one.
import pg from 'pg';
import type { DatabaseAddress } from '../connection/connections.ts';
import { sqlFiles, MigrationError } from '../schema/migrate.ts';
import { schemaOwner } from '../schema/schema-owner.ts';

export interface DatabaseFacts {
  /** PostgreSQL's own version, e.g. `18.4`. */
  readonly version: string;
  /** Migrations that the next start applies; undefined when this login may not read them. */
  readonly pendingMigrations: readonly string[] | undefined;
  /** How far this machine's clock is ahead of the database's, in milliseconds. */
  readonly clockAheadMs: number;
}

/** `insufficient_privilege`: this login may neither act for the owner nor serve. */
const notAllowed = '42501';

/** @param address the service's login, or one that migrates */
export async function probeDatabase(address: DatabaseAddress, now: () => number): Promise<DatabaseFacts> {
  const client = new pg.Client({ ...address, connectionTimeoutMillis: 5_000, query_timeout: 10_000 });
  await client.connect();
  try {
    const sentAt = now();
    const { rows } = await client.query<{ version: string; at: number }>(
      `select current_setting('server_version') as version,
         (extract(epoch from clock_timestamp()) * 1000)::float8 as at`,
    );
    const halfWay = (sentAt + now()) / 2;
    const { version = 'unknown', at = halfWay } = rows[0] ?? {};
    return { version, clockAheadMs: Math.round(halfWay - at), pendingMigrations: await pendingMigrations(client) };
  } finally {
    await client.end();
  }
}

async function pendingMigrations(client: pg.Client): Promise<string[] | undefined> {
  const names = (await sqlFiles('migrations')).map(({ name }) => name);
  const table = await client.query<{ there: boolean }>(`select to_regclass('schema_migrations') is not null as there`);
  if (table.rows[0]?.there !== true) return names;
  try {
    // A login that owns nothing reads them under the service's role.
    const owner = await schemaOwner(client);
    if (owner?.mayAct === false) await client.query('set role a2a_app');
    const applied = await client.query<{ name: string }>('select name from schema_migrations');
    const known = new Set(applied.rows.map(({ name }) => name));
    return names.filter((name) => !known.has(name));
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === notAllowed) return undefined;
    throw error;
  }
}

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
