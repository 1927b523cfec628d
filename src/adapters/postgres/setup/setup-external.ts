// Sets up an operator's own PostgreSQL server for the service: roles, database, schema, and a login that owns nothing.
// Running it again only creates what is missing. choices-1.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { DatabaseAddress } from '../connection/connections.ts';
import { migrate } from '../schema/migrate.ts';
import { inDatabase, readOwnerAddress, serviceAddress, type OwnerAddress } from './owner-address.ts';
import { guardLogin } from './login-guard.ts';
import { SetupError } from './setup-error.ts';
import { inspectSetupLogin, ensureRoles, type SetupLogin } from './setup-roles.ts';
import { adminRole, appRole, ownerRole, serviceLogin } from './setup.ts';

export interface SetupOptions {
  /** Address of a superuser, or of a login that may create roles. */
  readonly ownerUrl: string;
  /** Undefined: the database of the address, or `switchyard`. */
  readonly database: string | undefined;
  /** The service's login; undefined: `switchyard_service`. */
  readonly login: string | undefined;
  /** Sets a new password for an existing login. */
  readonly rotatePassword: boolean;
  /** Makes the tables, and returns the names of applied migrations. Undefined: all migrations. */
  readonly makeTables?: ((owner: DatabaseAddress) => Promise<readonly string[]>) | undefined;
}

export interface SetupResult {
  /** Has the password if it is new; otherwise none, because an existing password is unknown. */
  readonly address: string;
  readonly hasPassword: boolean;
  readonly login: string;
  readonly database: string;
  /** Roles and databases created by this run. */
  readonly created: readonly string[];
  /** Migrations applied by this run. */
  readonly migrated: readonly string[];
}

/** Key of the advisory lock, an arbitrary constant: two simultaneous setups create each role once. */
const lockKey = 7_305_111_913;
const connectTimeoutMs = 5_000;

/** @throws SetupError; MigrationError; the driver's error when the server cannot be reached */
export async function setUpDatabase(options: SetupOptions): Promise<SetupResult> {
  const owner = readOwnerAddress(options.ownerUrl, options.database);
  const login = options.login ?? serviceLogin;
  const password = randomBytes(24).toString('base64url');
  const made = await onServer(owner, async (client, setup) => {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
    const roles = await ensureRoles(client, setup, { login, password, rotate: options.rotatePassword });
    await client.query('commit');
    const isNew = await makeDatabase(client, setup, owner.database, login);
    return { ...roles, created: isNew ? [...roles.created, owner.database] : roles.created };
  });
  const inside = inDatabase(owner, owner.database);
  await using client = await connected(inside);
  await openForRoles(client.client, await inspectSetupLogin(client.client), login);
  const makeTables = options.makeTables ?? ((address) => migrate({ address, ownerRole, log: () => {} }));
  const migrated = await makeTables(inside);
  const address = serviceAddress(owner, login, made.hasPassword ? password : undefined);
  // The address is tested before it is returned.
  if (made.hasPassword) await guardLogin({ connectionString: address });
  return { ...made, address, login, database: owner.database, migrated };
}

async function connected(address: { connectionString: string }): Promise<AsyncDisposable & { client: pg.Client }> {
  const client = new pg.Client({
    ...address,
    application_name: 'switchyard-setup',
    connectionTimeoutMillis: connectTimeoutMs,
  });
  // An error of the connection rejects the statement that waits; the event itself needs a listener.
  client.on('error', () => undefined);
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}

/** Logs in to the database of the address, or if it is missing to one that every server has. */
async function onServer<T>(
  owner: OwnerAddress,
  work: (client: pg.Client, setup: SetupLogin) => Promise<T>,
): Promise<T> {
  const candidates = [
    { connectionString: owner.url.href },
    ...['postgres', 'template1'].map((name) => inDatabase(owner, name)),
  ];
  for (const [i, candidate] of candidates.entries()) {
    try {
      await using opened = await connected(candidate);
      return await work(opened.client, await inspectSetupLogin(opened.client));
    } catch (error) {
      const isMissing = error instanceof pg.DatabaseError && error.code === '3D000';
      if (!isMissing || i === candidates.length - 1) throw error;
    }
  }
  throw new Error('no database to log in to was tried');
}

/**
 * @returns whether this run created it
 * @throws SetupError `may_not_create_database`, `database_owned_by_another`
 */
async function makeDatabase(client: pg.Client, setup: SetupLogin, database: string, login: string): Promise<boolean> {
  const { rows } = await client.query<{ owner: string; acts: boolean }>(
    `select pg_get_userbyid(datdba) as owner, pg_has_role(current_user, datdba, 'member') as acts
     from pg_database where datname = $1`,
    [database],
  );
  const [found] = rows;
  if (found === undefined) {
    if (!setup.mayCreateDatabases) throw mayNotCreateDatabase(setup, database);
    const name = pg.escapeIdentifier(database);
    await client.query(`create database ${name} owner ${ownerRole} template template0 encoding 'UTF8'`);
    await client.query(`set role ${ownerRole}`);
    await client.query(`revoke all on database ${name} from public`);
    await client.query(`grant connect on database ${name} to ${pg.escapeIdentifier(login)}`);
    await client.query(`grant connect on database ${name} to ${pg.escapeIdentifier(setup.name)}`);
    return true;
  }
  if (!setup.superuser && !found.acts) throw ownedByAnother(setup, database, found.owner);
  return false;
}

/** @throws SetupError `tables_of_another` */
async function openForRoles(client: pg.Client, setup: SetupLogin, login: string): Promise<void> {
  const { rows } = await client.query<{ foreign: boolean; owner: string; open: boolean; utf8: boolean }>(
    `select to_regclass('schema_migrations') is null
         and (to_regclass('tasks') is not null or to_regclass('tenants') is not null) as foreign,
       pg_get_userbyid(datdba) as owner, has_schema_privilege('public', 'public', 'create') as open,
       current_setting('server_encoding') = 'UTF8' as utf8
     from pg_database where datname = current_database()`,
  );
  const [facts] = rows;
  if (facts === undefined) throw new Error('the server returned no row about the current database');
  if (facts.foreign) throw tablesOfAnother();
  if (!facts.utf8) throw notUtf8();
  if (!setup.superuser && facts.owner !== setup.name)
    await client.query(`set role ${pg.escapeIdentifier(facts.owner)}`);
  const name = pg.escapeIdentifier(login);
  await client.query(`grant create, usage on schema public to ${ownerRole}`);
  await client.query(`grant usage on schema public to ${appRole}, ${adminRole}, ${name}`);
  // Servers upgraded from 14 or older let every role create objects there.
  if (facts.open) await client.query('revoke create on schema public from public');
  await client.query('reset role');
}

function mayNotCreateDatabase({ name }: SetupLogin, database: string): SetupError {
  return new SetupError(
    'may_not_create_database',
    `There is no database "${database}", and the login "${name}" may not create one.`,
    `Name an existing one with --database, or let a superuser run: ALTER ROLE ${pg.escapeIdentifier(name)} CREATEDB`,
  );
}

function ownedByAnother({ name }: SetupLogin, database: string, owner: string): SetupError {
  return new SetupError(
    'database_owned_by_another',
    `The database "${database}" belongs to "${owner}", for whom the login "${name}" may not act.`,
    `Give the address of "${owner}" or of a superuser, or name another database with --database.`,
  );
}

function tablesOfAnother(): SetupError {
  return new SetupError(
    'tables_of_another',
    'The database holds tables of another program (tasks, tenants).',
    'Name a database of its own with --database.',
  );
}

function notUtf8(): SetupError {
  return new SetupError(
    'not_utf8',
    'The database is not in UTF-8.',
    'Name another with --database: it is created if it is missing.',
  );
}
