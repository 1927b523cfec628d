// Settles a restored database of this version's schema: sends wait, or, in a clone, nothing is sent at all.
import pg from 'pg';
import { heldLabel } from '../../../../domain/model/held-sends.ts';
import type { DatabaseAddress } from '../../connection/connections.ts';
import { schemaOwner } from '../../schema/schema-owner.ts';
import { archivedTables } from '../tables/archived-tables.ts';
import { forceRowSecurity, liftRowSecurity } from '../tables/unforced.ts';
import { cloneRules } from './clone-rules.ts';

/**
 * One transaction; a second call changes nothing. Until it has run no service may start on the database.
 * @param address of a login that may act for the owner of the tables
 * @throws the driver's error
 */
export async function settleRestore(address: DatabaseAddress): Promise<void> {
  const client = new pg.Client({ ...address, application_name: 'switchyard-restore', connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const owner = await schemaOwner(client);
    await client.query('begin');
    if (owner !== undefined) await client.query(`set local role ${pg.escapeIdentifier(owner.role)}`);
    const { rows } = await client.query<{ as_clone: boolean }>(
      'select as_clone from restores where settled_at is null order by restored_at for update',
    );
    const newest = rows.at(-1);
    if (newest !== undefined) {
      const names = (await archivedTables(client)).map(({ name }) => name);
      await liftRowSecurity(client, names);
      if (newest.as_clone) for (const { sql } of cloneRules) await client.query(sql);
      else await client.query('select hold_publishing($1)', [heldLabel]);
      await client.query(
        `update restores set settled_at = clock_timestamp(),
           released_at = case when as_clone then clock_timestamp() end, released_by = case when as_clone then 'clone' end
         where settled_at is null`,
      );
      // A table with a trigger that waits for the commit cannot be altered.
      await client.query('set constraints all immediate');
      await forceRowSecurity(client, names);
    }
    await client.query('commit');
  } finally {
    await client.end();
  }
}
