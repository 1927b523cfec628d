// Facts of the whole database: its version, that of its schema, and the secret that its replicas share.
import type pg from 'pg';
import { translated } from '../connection/pg-errors.ts';
import { asAdmin } from './as-admin.ts';

export interface DatabaseVersions {
  /** As the server writes it: `18.1`. */
  readonly version: string;
  /** Name of the newest migration. */
  readonly schema: string;
}

/** @throws DomainError unavailable */
export async function readDatabaseVersions(pool: pg.Pool): Promise<DatabaseVersions> {
  try {
    const { rows } = await pool.query<DatabaseVersions>(
      `select current_setting('server_version') as version,
         (select max(name) from schema_migrations where name like '0%') as schema`,
    );
    const [row] = rows;
    if (row === undefined) throw new Error('a statement without a table answered no row');
    return row;
  } catch (error) {
    throw translated(error);
  }
}

/** The key that hashes route names on the broker's channel. @throws DomainError unavailable */
export async function routeSecret(pool: pg.Pool): Promise<Uint8Array> {
  const [row] = await asAdmin<{ secret: Buffer }>(pool, 'select route_secret as secret from installation', []);
  if (row === undefined)
    throw new Error('the table installation has no row: migration 0001-installation.sql was applied incompletely');
  return row.secret;
}
