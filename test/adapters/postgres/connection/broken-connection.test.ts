// Connections that break: in use, idle, between two statements. The caller gets an error, the process survives, the next call
// works.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPool } from '../../../../src/adapters/postgres/connection/connections.ts';
import { postgresStore } from '../../../../src/adapters/postgres/store/store.ts';
import { cloneDatabase, type TestDatabase } from '../../../support/database/database.ts';
import { until } from '../../../support/until.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await cloneDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

const tenant = { tenantId: 'default' };
const id = '01a1fe3a-a67c-7000-bbb2-66e11402a1ff';
const ours = `datname = current_database() and application_name = 'switchyard'`;

/** Ends every connection of the service, and waits until the database has none left. */
async function cut(): Promise<void> {
  await db.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${ours}`);
  await until(
    'no connection left',
    async () => (await db.query(`select from pg_stat_activity where ${ours}`)).length === 0,
  );
}

describe('a connection that breaks', () => {
  it.each([
    ['between two statements of a transaction', true],
    ['while it is idle', false],
  ])('%s is unavailable to its caller at most, and the next call works', async (_, inUse) => {
    const lines: string[] = [];
    const pool = openPool({ address: db.service, role: 'a2a_app', max: 1, log: (line) => lines.push(line) });
    const store = postgresStore({ pool, offlineAfterSeconds: 60, idempotencyHours: 48 });
    try {
      await store.within(tenant, (rows) => rows.tasks.find(id));
      if (inUse) {
        const broken = store.within(tenant, async (rows) => {
          await rows.tasks.find(id);
          await cut();
          return rows.tasks.find(id);
        });
        await expect(broken).rejects.toMatchObject({ kind: 'unavailable', code: 'store_unavailable' });
      } else {
        await cut();
        await until('the pool to notice it', () => lines.length > 0);
      }
      expect(await store.within(tenant, (rows) => rows.tasks.find(id))).toBeUndefined();
    } finally {
      await pool.end();
    }
  });

  it.each([
    ['whose password does not hold any more', { password: 'wrong' }],
    ['to a database that is not there any more', { database: 'gone' }],
  ])('%s is unavailable, no fault of the caller or of ours', async (_, change) => {
    const pool = openPool({ address: { ...db.service, ...change }, role: 'a2a_app', max: 1, log: () => {} });
    const store = postgresStore({ pool, offlineAfterSeconds: 60, idempotencyHours: 48 });
    try {
      const pendingQuery = store.within(tenant, (rows) => rows.tasks.find(id));
      await expect(pendingQuery).rejects.toMatchObject({ kind: 'unavailable', code: 'store_unavailable' });
    } finally {
      await pool.end();
    }
  });

  it('is opened again at the current address', async () => {
    const address = { ...db.service, port: 1 };
    const pool = openPool({ address, role: 'a2a_app', max: 1, log: () => {} });
    const store = postgresStore({ pool, offlineAfterSeconds: 60, idempotencyHours: 48 });
    try {
      await expect(store.ping()).rejects.toMatchObject({ kind: 'unavailable' });
      address.port = db.service.port;
      await store.ping();
    } finally {
      await pool.end();
    }
  });
});
