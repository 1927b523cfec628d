// Rejects a database login that would bypass row-level security. choices-1.
import pg from 'pg';
import type { DatabaseAddress } from '../connection/connections.ts';

/** The service must not start with this login; the message says what to do. */
export class DangerousLoginError extends Error {
  override readonly name = 'DangerousLoginError';
}

interface LoginFacts {
  readonly login: string;
  readonly superuser: boolean;
  readonly bypasses: boolean;
  readonly inherits_admin: boolean;
  readonly has_app: boolean;
  readonly has_admin: boolean;
  readonly owns_tables: boolean;
  readonly version: number;
}

/**
 * Checks the login that the service would use.
 * @returns warnings to print; empty when the login is as it should be
 * @throws DangerousLoginError for a superuser, BYPASSRLS, an inherited a2a_admin, missing roles, an old server
 */
export async function guardLogin(address: DatabaseAddress): Promise<string[]> {
  const facts = await inspectLogin(address);
  const setUp = '`switchyard db setup --owner-url …` makes a safe one and prints its address.';
  if (facts.version < 150_000) {
    throw new DangerousLoginError(
      `PostgreSQL ${Math.floor(facts.version / 10_000)} is too old: 15 or newer is needed.`,
    );
  }
  if (facts.superuser || facts.bypasses) {
    const why = facts.superuser ? 'is a superuser' : 'has BYPASSRLS';
    throw new DangerousLoginError(
      `The login "${facts.login}" of DATABASE_URL ${why}: it would see every tenant's rows. Use a plain login instead; ${setUp}`,
    );
  }
  if (!facts.has_app || !facts.has_admin) {
    throw new DangerousLoginError(
      `The login "${facts.login}" of DATABASE_URL is not a member of a2a_app and a2a_admin. ${setUp}`,
    );
  }
  if (facts.inherits_admin) {
    throw new DangerousLoginError(
      `The login "${facts.login}" of DATABASE_URL inherits the rights of a2a_admin and would see every tenant's rows by default. Run: ALTER ROLE ${pg.escapeIdentifier(facts.login)} NOINHERIT (PostgreSQL 16 and newer: GRANT a2a_app, a2a_admin TO ${pg.escapeIdentifier(facts.login)} WITH INHERIT FALSE).`,
    );
  }
  return facts.owns_tables
    ? [`The login "${facts.login}" owns the tables. It works; safer is a login that owns nothing: ${setUp}`]
    : [];
}

async function inspectLogin(address: DatabaseAddress): Promise<LoginFacts> {
  const client = new pg.Client({ ...address, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const { rows } = await client.query<LoginFacts>(
      `select rolname as login, rolsuper as superuser, rolbypassrls as bypasses,
         case when exists (select from pg_roles where rolname = 'a2a_app')
           then pg_has_role(session_user, 'a2a_app', 'member') else false end as has_app,
         case when exists (select from pg_roles where rolname = 'a2a_admin')
           then pg_has_role(session_user, 'a2a_admin', 'member') else false end as has_admin,
         case when exists (select from pg_roles where rolname = 'a2a_admin')
           then pg_has_role(session_user, 'a2a_admin', 'usage') else false end as inherits_admin,
         exists (select from pg_class where relname = 'tasks' and relkind = 'r' and relowner = r.oid) as owns_tables,
         current_setting('server_version_num')::integer as version
       from pg_roles r where rolname = session_user`,
    );
    const facts = rows[0];
    if (facts === undefined) throw new Error('the database does not know its own login');
    return facts;
  } finally {
    await client.end();
  }
}
