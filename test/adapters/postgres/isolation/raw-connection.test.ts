// A raw connection as the application's role, on a database in use: without, with an empty, with a forged tenant.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proveIsolation } from '../../../../src/adapters/postgres/isolation/isolation-proof.ts';
import type { TestService } from '../../../support/service.ts';
import { fingerprint } from '../../../support/database/fingerprint.ts';
import { until } from '../../../support/until.ts';
import { openToolService } from '../../../support/client/signed-tools.ts';
import { createTenantRecords } from '../../../support/builders/tenant-records.ts';

let service: TestService;
/** Every table with a tenant, from the catalogue. */
let tables: string[];
beforeAll(async () => {
  service = await openToolService({ config: { webhookBackoffSeconds: 0.01 } });
  await createTenantRecords(service, {
    operator: 'operator',
    admin: 'admin',
    tenantId: 'default',
    canary: 'seldom-seen-word',
  });
  await createTenantRecords(service, {
    operator: 'other',
    admin: 'otheradmin',
    tenantId: 'other',
    canary: 'our-own-word',
  });
  await until('the audit is written', async () => (await service.db.query('select from audit_intents')).length === 0);
  const found = await service.db.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and a.attname = 'tenant_id' order by 1`,
  );
  tables = found.map(({ name }) => name);
});
afterAll(() => service[Symbol.asyncDispose]());

/** @param tenant undefined: the setting was never set */
async function asApp<T>(tenant: string | undefined, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...service.db.service, options: '-c role=a2a_app' });
  await client.connect();
  try {
    if (tenant !== undefined) await client.query(`select set_config('app.current_tenant_id', $1, false)`, [tenant]);
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Rows that a statement reaches; 0 where the role lacks the privilege. */
async function rowsOf(client: pg.Client, statement: string): Promise<number> {
  const done = await client.query(statement).catch((error: unknown) => error);
  if (done instanceof pg.DatabaseError && done.code === '42501') return 0;
  if (done instanceof Error) throw done;
  return Number((done as pg.QueryResult).rowCount);
}

const forged = [
  undefined,
  '',
  'nobody',
  `default' or 'a'='a`,
  'default,other',
  '*',
  '%',
  'DEFAULT',
  ' default',
  'null',
];

describe('a raw connection as a2a_app', () => {
  it.each(forged)('that sets the tenant %j reaches no row of any table [core-5.8.2, core-2.11.1]', async (tenant) => {
    const before = await fingerprint(service.db);
    await asApp(tenant, async (client) => {
      for (const table of tables) {
        for (const statement of [
          `select from ${table}`,
          `update ${table} set tenant_id = tenant_id`,
          `delete from ${table}`,
          `insert into ${table} select * from ${table}`,
        ]) {
          expect([statement, await rowsOf(client, statement)]).toEqual([statement, 0]);
        }
      }
    });
    expect(await fingerprint(service.db)).toEqual(before);
  });

  it('is tried on tables that have rows, and sees those of the tenant that it sets', async () => {
    const seen = await asApp('default', async (client) => {
      const counts = await Promise.all(
        tables.map(async (table) => [table, await rowsOf(client, `select from ${table}`)]),
      );
      return counts.filter(([, n]) => Number(n) > 0).map(([table]) => table);
    });
    expect(seen).toEqual(
      expect.arrayContaining(['tasks', 'workers', 'workspaces', 'sessions', 'task_runs', 'api_keys', 'users']),
    );
    expect(seen.length).toBeGreaterThan(15);
  });

  it('keeps no tenant after its transaction, so the pool returns it without one', async () => {
    await asApp(undefined, async (client) => {
      await client.query('begin');
      await client.query(`select set_config('app.current_tenant_id', 'default', true)`);
      expect((await client.query('select from tasks')).rowCount).toBeGreaterThan(0);
      await client.query('commit');
      for (const table of tables) expect([table, await rowsOf(client, `select from ${table}`)]).toEqual([table, 0]);
    });
  });

  it('on a database in use, beside a service that works on it, is proven harmless without a trace', async () => {
    const before = await fingerprint(service.db);
    expect(await proveIsolation(service.db.service)).toMatchObject({ holes: [], untried: [] });
    expect(await fingerprint(service.db)).toEqual(before);
  });
});
