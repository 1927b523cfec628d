// Applies numbered migrations and the queue's functions under an advisory lock: two simultaneous starts migrate once.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import type { DatabaseAddress } from '../connection/connections.ts';
import { submitSql } from '../codec/task-columns.ts';
import { generatedFunctions } from './generated-functions.ts';
import { schemaOwner } from './schema-owner.ts';
import { sha256 } from '../../../lib/digest.ts';

/** Key of the advisory lock: an arbitrary constant of this program. */
const lockKey = 7_305_111_912;
const lockTimeoutMs = 60_000;

export interface MigrateOptions {
  /** A login that owns the tables or may act for their owner. Any other login succeeds only if nothing is to be applied. */
  readonly address: DatabaseAddress;
  /** The owner of the tables in a new database, if it is not the login. */
  readonly ownerRole?: string | undefined;
  /** Only these migrations, and no functions: the schema that a backup was taken from. Undefined: everything. */
  readonly only?: readonly AppliedMigration[] | undefined;
  readonly log: (line: string) => void;
}

export interface AppliedMigration {
  readonly name: string;
  /** SHA-256 of its text. */
  readonly hash: string;
}

export interface SqlFile {
  readonly name: string;
  readonly sql: string;
}

export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/** The numbered migrations, or the functions (replaced whenever their text changes), by name. */
export async function sqlFiles(folder: 'migrations' | 'functions'): Promise<SqlFile[]> {
  const directory = new URL(`./${folder}/`, import.meta.url);
  const files = (await readdir(directory, { recursive: true })).filter((file) => file.endsWith('.sql'));
  const read = files.map(async (file) => ({
    name: path.basename(file),
    sql: await readFile(new URL(file, directory), 'utf8'),
  }));
  return (await Promise.all(read)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Brings the schema to this program's version. Idempotent, and safe to call from many replicas at once.
 * @returns names of the migrations applied now
 * @throws MigrationError when the schema is newer than this program, an unreleased version's, or of an edited migration
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const client = new pg.Client({
    ...options.address,
    application_name: 'switchyard-migrate',
    connectionTimeoutMillis: 5_000,
  });
  await client.connect();
  try {
    await client.query(`set lock_timeout = ${lockTimeoutMs}`);
    const owner = await schemaOwner(client);
    if (owner?.mayAct === false) return await refuseBehind(client, owner.role);
    const role = owner?.role ?? options.ownerRole;
    if (role !== undefined) await client.query(`set role ${pg.escapeIdentifier(role)}`);
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    return await applyAll(client, options);
  } finally {
    await client.end();
  }
}

/**
 * Lists the migrations that `migrate` would apply.
 * @throws MigrationError when the schema is newer than this program, an unreleased version's, or of an edited migration;
 *   the driver's error when the database does not answer
 */
export async function findMissingMigrations(address: DatabaseAddress): Promise<string[]> {
  const client = new pg.Client({ ...address, connectionTimeoutMillis: 5_000, query_timeout: 5_000 });
  await client.connect();
  try {
    const owner = await schemaOwner(client);
    if (owner === undefined) return (await sqlFiles('migrations')).map(({ name }) => name);
    if (!owner.mayAct) await client.query('set role a2a_app');
    return await lackingMigrations(client);
  } finally {
    await client.end();
  }
}

/**
 * A login that owns nothing can serve a database that another login has migrated.
 * @throws MigrationError when migrations are missing
 */
async function refuseBehind(client: pg.Client, owner: string): Promise<string[]> {
  await client.query('set role a2a_app');
  const lacking = await lackingMigrations(client);
  if (lacking.length === 0) return [];
  throw new MigrationError(
    `The database lacks ${lacking.join(', ')}, and this login may not migrate it. Set MIGRATION_DATABASE_URL to a login that may act for ${owner}, here or for \`switchyard migrate\`.`,
  );
}

/** @throws MigrationError as `migrate` */
async function lackingMigrations(client: pg.Client): Promise<string[]> {
  const known = await appliedMigrations(client);
  const migrations = await sqlFiles('migrations');
  refuseForeign(known, migrations);
  const lacking = migrations.map(({ name }) => name).filter((name) => !known.has(name));
  return known.get(functionsName) === sha256(await functionsText(), 'hex') ? lacking : [...lacking, functionsName];
}

async function appliedMigrations(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from schema_migrations');
  return new Map(rows.map((row) => [row.name, row.hash]));
}

async function applyAll(client: pg.Client, { only, log }: Pick<MigrateOptions, 'only' | 'log'>): Promise<string[]> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key, hash text not null, applied_at timestamptz not null default now())`);
  const known = await appliedMigrations(client);
  const migrations = await sqlFiles('migrations');
  refuseForeign(known, migrations);
  const done: string[] = [];
  const wanted = only === undefined ? undefined : new Set(only.map(({ name }) => name));
  for (const file of migrations.filter(({ name }) => !known.has(name) && wanted?.has(name) !== false)) {
    await applyOne(client, file.name, file.sql, sha256(file.sql, 'hex'));
    done.push(file.name);
  }
  const text = await functionsText();
  if (only === undefined && known.get(functionsName) !== sha256(text, 'hex')) {
    await applyOne(client, functionsName, text, sha256(text, 'hex'));
    done.push(functionsName);
  }
  // Rows find their partitions from the first moment on; the service's loop makes the later ones. The rows of a backup come
  // with theirs.
  if (only === undefined) await client.query('select make_partitions(clock_timestamp())');
  if (done.length > 0) log(`database migrated: ${done.join(', ')}`);
  return done;
}

const functionsName = 'functions';

/** All functions as one text, which is installed whenever it changes. */
async function functionsText(): Promise<string> {
  const files = orderByDependency(await sqlFiles('functions')).join('\n');
  return `${generatedFunctions()}\n${files.replaceAll(/\{(submit_\w+)\}/g, (_, name: string) => submitSql[name] ?? name)}`;
}

/** Bodies in language sql are checked at creation, so functions that others call are created first. */
function orderByDependency(functions: readonly SqlFile[]): string[] {
  const first = ['uuid7.sql', 'ensure-route.sql', 'worker-names.sql', 'worker-routes.sql', 'index-artifacts.sql'];
  const rank = (name: string): number => (first.includes(name) ? first.indexOf(name) : first.length);
  return functions.toSorted((a, b) => rank(a.name) - rank(b.name)).map((file) => file.sql);
}

function refuseForeign(known: ReadonlyMap<string, string>, migrations: readonly SqlFile[]): void {
  const ours = new Map(migrations.map((file) => [file.name, sha256(file.sql, 'hex')]));
  const applied = [...known].filter(([name]) => name !== functionsName);
  const foreign = applied.map(([name]) => name).filter((name) => !ours.has(name));
  const [first] = migrations;
  if (foreign[0] !== undefined && first !== undefined && !known.has(first.name)) {
    throw new MigrationError(
      `The database was made by an unreleased version (it has the migration ${foreign[0]}, and not ${first.name}) and cannot be upgraded. Use an empty database or another DATA_DIR, or start the version that made this one.`,
    );
  }
  if (foreign[0] !== undefined) {
    throw new MigrationError(
      `The database has the migration ${foreign[0]}, which this version does not know: it was upgraded by a newer version. Start that version, or restore a backup made before the upgrade.`,
    );
  }
  for (const [name, hash] of applied) {
    if (ours.get(name) === hash) continue;
    throw new MigrationError(
      `The migration ${name} was applied with other text than this version has: an unreleased version made the database. Use an empty database or another DATA_DIR, or start the version that made this one.`,
    );
  }
}

async function applyOne(client: pg.Client, name: string, sql: string, hash: string): Promise<void> {
  await client.query('begin');
  try {
    await client.query(sql);
    await client.query(
      `insert into schema_migrations (name, hash) values ($1, $2)
       on conflict (name) do update set hash = excluded.hash, applied_at = now()`,
      [name, hash],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new MigrationError(
      `The migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}
