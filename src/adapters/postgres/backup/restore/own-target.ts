// A database of the operator's own as the target of a restore: nothing of anybody's may be in it.
import pg from 'pg';
import type { DatabaseAddress } from '../../connection/connections.ts';
import { schemaOwner } from '../../schema/schema-owner.ts';
import { BackupError } from '../archive/backup-error.ts';
import type { AppliedMigration } from '../../schema/migrate.ts';
import { archivedTables } from '../tables/archived-tables.ts';
import { liftRowSecurity } from '../tables/unforced.ts';

/** `filled`: a restore of this backup was interrupted after its rows were committed. */
export type TargetState = 'empty' | 'filled';

/** `invalid_catalog_name`: the setup will create the database. */
const noSuchDatabase = '3D000';

/**
 * Inspects the database, and drops empty tables of another version of the schema than the backup's.
 * @throws BackupError restore_not_empty; the driver's error
 */
export async function prepareTarget(
  address: DatabaseAddress,
  backup: { readonly backupId: string; readonly migrations: readonly AppliedMigration[] },
): Promise<TargetState> {
  const client = new pg.Client({
    ...address,
    application_name: 'switchyard-restore',
    connectionTimeoutMillis: 5_000,
    options: '-c lock_timeout=10000',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === noSuchDatabase) return 'empty';
    throw error;
  }
  try {
    const names = await tablesIn(client);
    if (names.length === 0) return 'empty';
    if (!names.includes('schema_migrations') || !names.includes('tasks')) throw notEmpty(names[0] ?? 'tables');
    return await inspectOurs(client, backup);
  } finally {
    await client.end();
  }
}

async function tablesIn(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname = 'public' and not exists (
       select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by 1`,
  );
  return rows.map(({ name }) => name);
}

async function inspectOurs(
  client: pg.Client,
  { backupId, migrations }: Parameters<typeof prepareTarget>[1],
): Promise<TargetState> {
  const owner = await schemaOwner(client);
  if (owner?.mayAct === true) await client.query(`set role ${pg.escapeIdentifier(owner.role)}`);
  const unsettled = await client.query<{ backup_id: string }>(
    (await hasRestores(client))
      ? 'select backup_id from restores where settled_at is null'
      : 'select null as backup_id where false',
  );
  if (unsettled.rows.some((row) => row.backup_id === backupId)) return 'filled';
  const tables = await archivedTables(client);
  await client.query('begin');
  // Its owner does not see the rows of a table whose row-level security is forced.
  await liftRowSecurity(
    client,
    tables.map(({ name }) => name),
  );
  for (const { name } of tables) {
    const { rowCount } = await client.query(`select from ${pg.escapeIdentifier(name)} limit 1`);
    if ((rowCount ?? 0) > 0) throw notEmpty(name);
  }
  await client.query('rollback');
  const applied = await client.query<AppliedMigration>(
    `select name, hash from schema_migrations where name <> 'functions' order by name`,
  );
  const isSame = JSON.stringify(applied.rows) === JSON.stringify(migrations.map(({ name, hash }) => ({ name, hash })));
  if (!isSame && owner !== undefined) {
    // Later migrations must find the rows of the backup, so they run again after them.
    await client.query(`drop owned by ${pg.escapeIdentifier(owner.role)} cascade`);
  }
  return 'empty';
}

async function hasRestores(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(`select to_regclass('restores') is not null as there`);
  return rows[0]?.there === true;
}

function notEmpty(table: string): BackupError {
  return new BackupError(
    'restore_not_empty',
    `The database is not empty: its table ${table} has rows, or belongs to another program.`,
    'Name an empty database, or one that `switchyard db setup` has just made.',
  );
}
