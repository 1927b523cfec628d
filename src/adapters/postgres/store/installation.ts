// What the replicas of one database have in common and nobody else has.
import type pg from 'pg';
import { asAdmin } from './as-admin.ts';

/** The key under which routes get their names on the broker's channel. @throws DomainError unavailable */
export async function routeSecret(pool: pg.Pool): Promise<Uint8Array> {
  const [row] = await asAdmin<{ secret: Buffer }>(pool, 'select route_secret as secret from installation', []);
  if (row === undefined)
    throw new Error('the table installation has no row: the migration 0001-schema.sql was not whole');
  return row.secret;
}
