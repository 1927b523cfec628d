// The secret that the replicas of one database share.
import type pg from 'pg';
import { asAdmin } from './as-admin.ts';

/** The key that hashes route names on the broker's channel. @throws DomainError unavailable */
export async function routeSecret(pool: pg.Pool): Promise<Uint8Array> {
  const [row] = await asAdmin<{ secret: Buffer }>(pool, 'select route_secret as secret from installation', []);
  if (row === undefined)
    throw new Error('the table installation has no row: migration 0001-installation.sql was applied incompletely');
  return row.secret;
}
