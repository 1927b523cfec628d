// Creates the roles on an operator's own PostgreSQL server, as a login that may create roles there. choices-1.
import pg from 'pg';
import { SetupError } from './setup-error.ts';
import { adminRole, appRole, ownerRole, scramVerifier } from './setup.ts';

/** The rights of the login that sets a server up. */
export interface SetupLogin {
  readonly name: string;
  readonly superuser: boolean;
  readonly mayCreateRoles: boolean;
  readonly mayCreateDatabases: boolean;
  /** As `180004`. */
  readonly version: number;
}

interface RoleFacts {
  readonly rolname: string;
  readonly powerful: boolean;
}

/** @throws SetupError `server_too_old` */
export async function inspectSetupLogin(client: pg.Client): Promise<SetupLogin> {
  const { rows } = await client.query<SetupLogin>(
    `select rolname as name, rolsuper as superuser, rolsuper or rolcreaterole as "mayCreateRoles",
       rolsuper or rolcreatedb as "mayCreateDatabases", current_setting('server_version_num')::integer as version
     from pg_roles where rolname = current_user`,
  );
  const [login] = rows;
  if (login === undefined) throw new Error('the database does not know its own login');
  if (login.version >= 150_000) return login;
  const major = Math.floor(login.version / 10_000);
  throw new SetupError('server_too_old', `PostgreSQL ${major} is too old: 15 or newer is needed.`, 'Upgrade it.');
}

export interface ServiceRole {
  readonly login: string;
  /** The password of the service's login if the login is new, or gets a new password. */
  readonly password: string;
  readonly rotate: boolean;
}

/**
 * Creates missing roles within the client's transaction. Existing roles change only as requested.
 * @returns names of the created roles, and whether the service's login has that password now
 * @throws SetupError `may_not_create_roles`, `dangerous_role`
 */
export async function ensureRoles(
  client: pg.Client,
  setup: SetupLogin,
  { login, password, rotate }: ServiceRole,
): Promise<{ created: string[]; hasPassword: boolean }> {
  const wanted = [appRole, adminRole, ownerRole, login];
  const existing = await findExistingRoles(client, wanted);
  const missing = wanted.filter((name) => !existing.some(({ rolname }) => rolname === name));
  if (missing.length > 0 && !setup.mayCreateRoles) throw mayNotCreateRoles(setup, missing);
  refusePowerful(existing);
  for (const name of missing) {
    const attributes = name === login ? 'login noinherit' : 'nologin';
    await client.query(`create role ${pg.escapeIdentifier(name)} ${attributes}`);
  }
  const hasPassword = rotate || missing.includes(login);
  if (hasPassword) {
    // The server gets a verifier, not the password: its log may show statements.
    const verifier = pg.escapeLiteral(scramVerifier(password));
    await client.query(`alter role ${pg.escapeIdentifier(login)} with login noinherit password ${verifier}`);
  }
  // From 16 on each membership defines whether it inherits; before, the login does.
  const isOlder = setup.version < 160_000;
  const membership = isOlder ? '' : ' with inherit false, set true';
  for (const role of [appRole, adminRole]) {
    if (await mayBecome(client, login, role)) continue;
    await client.query(`grant ${role} to ${pg.escapeIdentifier(login)}${membership}`);
  }
  if (!setup.superuser && !(await mayBecome(client, setup.name, ownerRole))) {
    await client.query(`grant ${ownerRole} to ${pg.escapeIdentifier(setup.name)}${membership}`);
  }
  return { created: missing, hasPassword };
}

async function findExistingRoles(client: pg.Client, names: readonly string[]): Promise<RoleFacts[]> {
  const { rows } = await client.query<RoleFacts>(
    `select rolname, rolsuper or rolbypassrls or rolcreaterole or rolreplication as powerful
     from pg_roles where rolname = any($1)`,
    [names],
  );
  return rows;
}

/** Whether a role may set another role without inheriting its rights. */
async function mayBecome(client: pg.Client, name: string, role: string): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    `select pg_has_role($1, $2, case when current_setting('server_version_num')::integer >= 160000
       then 'set' else 'member' end) as may`,
    [name, role],
  );
  return rows[0]?.may === true;
}

function refusePowerful(roles: readonly RoleFacts[]): void {
  const found = roles.find(({ powerful, rolname }) => powerful && rolname !== ownerRole);
  if (found === undefined) return;
  throw new SetupError(
    'dangerous_role',
    `The role "${found.rolname}" exists already with more rights than the service may have: it would see every tenant's rows.`,
    `ALTER ROLE ${pg.escapeIdentifier(found.rolname)} NOSUPERUSER NOBYPASSRLS NOCREATEROLE NOREPLICATION, or name another login with --login.`,
  );
}

function mayNotCreateRoles({ name }: SetupLogin, missing: readonly string[]): SetupError {
  return new SetupError(
    'may_not_create_roles',
    `The login "${name}" may not create roles; missing are ${missing.join(', ')}.`,
    `Give the address of a superuser, or let one run: ALTER ROLE ${pg.escapeIdentifier(name)} CREATEROLE CREATEDB`,
  );
}
