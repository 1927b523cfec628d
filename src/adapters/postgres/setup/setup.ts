// Creates what the service needs in a PostgreSQL cluster: roles, database, the service's login. choices-1.
import { createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import type { DatabaseAddress } from '../connection/connections.ts';
import { sha256 } from '../../../lib/digest.ts';

export const appRole = 'a2a_app';
export const adminRole = 'a2a_admin';
export const ownerRole = 'switchyard_owner';
export const serviceLogin = 'switchyard_service';
export const serviceDatabase = 'switchyard';

/**
 * Creates the missing roles of row-level security: `a2a_app` for requests, `a2a_admin` for cross-tenant queries, an owner
 * of the tables, and the service's login, which owns nothing and inherits nothing.
 * @param client a superuser, or a login that may create roles
 */
export async function createRoles(client: pg.Client, servicePassword: string): Promise<void> {
  for (const role of [appRole, adminRole, ownerRole]) await createRole(client, role, 'nologin');
  // The server gets a verifier, not the password: its log may show statements.
  await createRole(client, serviceLogin, 'login noinherit');
  const verifier = pg.escapeLiteral(scramVerifier(servicePassword));
  await client.query(`alter role ${serviceLogin} with login noinherit nosuperuser nobypassrls password ${verifier}`);
  await client.query(`grant ${appRole}, ${adminRole} to ${serviceLogin}`);
}

async function createRole(client: pg.Client, role: string, attributes: string): Promise<void> {
  const found = await client.query('select from pg_roles where rolname = $1', [role]);
  if (found.rowCount === 0) await client.query(`create role ${pg.escapeIdentifier(role)} ${attributes}`);
}

/** Creates the database, owned by the owner role, if it is missing. */
export async function createDatabase(client: pg.Client, database: string): Promise<void> {
  const found = await client.query('select from pg_database where datname = $1', [database]);
  if (found.rowCount !== 0) return;
  await client.query(`create database ${pg.escapeIdentifier(database)} owner ${ownerRole}`);
}

/** Lets the owner role create in the public schema and the service's roles use it; run inside the database. */
export async function openSchema(client: pg.Client): Promise<void> {
  await client.query(`grant create, usage on schema public to ${ownerRole}`);
  await client.query(`grant usage on schema public to ${appRole}, ${adminRole}`);
}

/** SCRAM-SHA-256 verifier as PostgreSQL stores it. RFC 5802 §3, RFC 7677. */
export function scramVerifier(password: string): string {
  const iterations = 4096;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const clientKey = createHmac('sha256', salted).update('Client Key').digest();
  const storedKey = sha256(clientKey, 'base64');
  const serverKey = createHmac('sha256', salted).update('Server Key').digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}

export interface ReadyDatabase {
  /** The service's own login. */
  readonly service: DatabaseAddress;
  /** For migrations: a login that may become the owner role. */
  readonly migration: DatabaseAddress;
}

/**
 * Prepares a cluster as its superuser (the embedded one): roles, database, a new password for the service's login at each
 * start.
 */
export async function prepareCluster(superuser: {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}): Promise<ReadyDatabase> {
  const password = randomBytes(24).toString('base64url');
  const database = serviceDatabase;
  const client = new pg.Client(superuser);
  await client.connect();
  try {
    await createRoles(client, password);
    await createDatabase(client, database);
  } finally {
    await client.end();
  }
  const inside = new pg.Client({ ...superuser, database });
  await inside.connect();
  try {
    await openSchema(inside);
  } finally {
    await inside.end();
  }
  const { host, port } = superuser;
  return {
    service: { host, port, user: serviceLogin, password, database },
    migration: { ...superuser, database },
  };
}
