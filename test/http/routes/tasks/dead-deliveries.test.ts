// Dead deliveries over all tasks, and how many signing secrets a tenant has.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type ApiReply, type TestService, type TestUser } from '../../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService({ config: { automationCallsPerMinute: 1_000 } });
});
afterAll(() => service[Symbol.asyncDispose]());

/** A delivery as the sender leaves it; ids are in the order of these calls. */
async function delivery(tenantId: string, n: number, status: string, kind = 'webhook'): Promise<string> {
  const id = `0190000${n}-0000-7000-8000-000000000000`;
  await service.db.query(
    `insert into deliveries (tenant_id, delivery_id, task_id, kind, seq, url, host, body, status, ended_at)
     values ($1, $2, $3, $4, 1, 'https://hooks.example/secret?key=1', 'hooks.example', '{}', $5, now())`,
    [tenantId, id, randomUUID(), kind, status],
  );
  return id;
}

const list = (query = '', as: TestUser = 'viewer'): Promise<ApiReply> =>
  service.call('GET', `/v1/automation/deliveries${query}`, { as });
const idsIn = ({ body }: ApiReply): string[] =>
  body.deliveries.map(({ delivery_id: id }: { delivery_id: string }) => id);

describe('GET /v1/automation/deliveries', () => {
  it('lists the dead ones of all tasks of the tenant, newest first, by cursor [ui-6.11.1]', async () => {
    const [first, second] = [await delivery('default', 1, 'dead'), await delivery('default', 2, 'dead', 'push')];
    await delivery('default', 3, 'delivered');
    await delivery('default', 4, 'pending');
    await delivery('other', 5, 'dead');
    const all = await list('?status=dead');
    expect(idsIn(all)).toEqual([second, first]);
    expect(all.body.deliveries[1]).toMatchObject({
      task_id: expect.any(String),
      status: 'dead',
      url: 'https://hooks.example/secret?key=1',
      attempts: [],
    });
    expect(all.body.deliveries[0].url).toBe('https://hooks.example');
    const page = await list('?limit=1');
    expect(idsIn(page)).toEqual([second]);
    expect(idsIn(await list(`?limit=1&cursor=${page.body.next_cursor}`))).toEqual([first]);
    expect(await list('?status=delivered')).toMatchObject({ status: 400 });
    expect(await list('', 'agent')).toMatchObject({ status: 403 });
  });

  it('reads dead deliveries by an index of their own, whatever was delivered [ui-6.11.1]', async () => {
    await service.db.query(
      `insert into deliveries (tenant_id, delivery_id, task_id, kind, seq, url, host, status)
       select 'default', gen_random_uuid(), gen_random_uuid(), 'webhook', 1, 'u', 'h', 'delivered' from generate_series(1, 3000)`,
    );
    await service.db.query('analyze deliveries');
    const plan = await service.db.query<{ 'QUERY PLAN': string }>(
      `explain select delivery_id from deliveries where tenant_id = 'default' and status = 'dead'
         and delivery_id < 'ffffffff-ffff-ffff-ffff-ffffffffffff' order by delivery_id desc limit 51`,
    );
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('deliveries_dead');
  });
});

it('GET …/webhook-secret counts the secrets and shows none; another tenant is missing [ui-6.11.2]', async () => {
  const path = '/v1/auth/tenants/other/webhook-secret';
  const count = (as: TestUser = 'otheradmin', headers = {}): Promise<ApiReply> =>
    service.call('GET', path, { as, headers });
  expect((await count()).body).toEqual({ tenant_id: 'other', count: 0 });
  await service.call('PUT', path, { as: 'otheradmin', body: { secret: 'one-secret,another-secret' } });
  expect((await count()).body).toEqual({ tenant_id: 'other', count: 2 });
  expect(await count('admin')).toMatchObject({ status: 404 });
  expect((await count('admin', { 'x-tenant-id': 'other' })).body).toEqual({ tenant_id: 'other', count: 2 });
  expect(await count('other')).toMatchObject({ status: 403 });
});
