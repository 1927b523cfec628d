// The claim of deliveries: what is due and no more, fair to every receiver, one hand on each.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type pg from 'pg';
import { openPool } from '../../src/adapters/postgres/connections.ts';
import { deliveryClaims } from '../../src/adapters/postgres/delivery-claims.ts';
import { postgresStore } from '../../src/adapters/postgres/store.ts';
import type { ClaimDueRequest, DeliveryClaim, DeliveryClaims } from '../../src/domain/ports/deliveries.ts';
import type { Store } from '../../src/domain/ports/store.ts';
import { cloneDatabase, type TestDatabase } from '../support/database.ts';

let db: TestDatabase;
let pool: pg.Pool;
let claims: DeliveryClaims;
let store: Store;
beforeAll(async () => {
  db = await cloneDatabase();
  pool = openPool({ address: db.service, role: 'a2a_app', max: 4, log: () => {} });
  claims = deliveryClaims(pool);
  store = postgresStore({ pool, offlineAfterSeconds: 60 });
});
afterAll(async () => {
  await pool.end();
  await db[Symbol.asyncDispose]();
});
beforeEach(() => db.query('truncate deliveries'));

const asked: ClaimDueRequest = { limit: 100, perHost: 8, perTenant: 64, leaseSeconds: 15, busy: [], after: undefined };

/** Rows of the outbox, `host` a receiver each. */
async function deliveries(fields: {
  count: number;
  host?: string;
  tenant?: string;
  dueIn?: string;
  kind?: 'webhook' | 'push';
  task?: string;
}): Promise<string[]> {
  const { count, host = 'a.example', tenant = 'default', dueIn = '-1 second', kind = 'webhook', task } = fields;
  const rows = await db.query<{ delivery_id: string }>(
    `insert into deliveries (tenant_id, delivery_id, task_id, kind, config_id, seq, url, host, body, due_at)
     select $1, make_uuid7(), coalesce($6::uuid, make_uuid7()), $5, 'c', i, 'http://' || replace($2, '#', i::text) || '/',
       replace($2, '#', i::text), '{}', now() + $3::interval
     from generate_series(1, $4::integer) as i returning delivery_id`,
    [tenant, host, dueIn, count, kind, task ?? null],
  );
  return rows.map(({ delivery_id: id }) => id);
}

const claim = async (request: Partial<ClaimDueRequest> = {}): Promise<DeliveryClaim[]> =>
  (await claims.claimDue({ ...asked, ...request })).claims;

const begin = (own: readonly DeliveryClaim[], tenantId = 'default') =>
  store.within({ tenantId }, (rows) => rows.deliveries.begin(own, 3));

const ids = (own: readonly { deliveryId: string }[]): string[] => own.map(({ deliveryId }) => deliveryId);

describe('a claim', () => {
  it('takes what is due, of every tenant, and nothing that is not yet', async () => {
    const due = [...(await deliveries({ count: 2 })), ...(await deliveries({ count: 1, tenant: 'other' }))];
    await deliveries({ count: 2, dueIn: '1 hour' });
    expect(ids(await claim()).toSorted()).toEqual(due.toSorted());
  });

  it('is held until its lease runs out, and then another has a later epoch', async () => {
    await deliveries({ count: 1 });
    const [first] = await claim();
    expect(await claim()).toEqual([]);
    await db.query(`update deliveries set due_at = now() - interval '1 second'`);
    const [second] = await claim();
    expect(second?.epoch).toBe((first?.epoch ?? 0) + 1);
    // The first hand's word counts no more: it begins nothing, and records nothing.
    expect((await begin(first === undefined ? [] : [first])).due).toEqual([]);
    expect((await begin(second === undefined ? [] : [second])).due).toHaveLength(1);
    const said = { deliveryId: first?.deliveryId ?? '', delivered: true, statusCode: 200, error: null, waitSeconds: 0 };
    const record = (epoch: number) =>
      store.within({ tenantId: 'default' }, (rows) => rows.deliveries.record([{ ...said, epoch }], 3));
    expect(await record(first?.epoch ?? 0)).toEqual([]);
    expect(await record(second?.epoch ?? 0)).toEqual([{ deliveryId: said.deliveryId, status: 'delivered' }]);
  });

  it('of several hands at once gives each delivery to one', async () => {
    await deliveries({ count: 200, host: 'h#.example' });
    const hands = await Promise.all(Array.from({ length: 4 }, () => claim({ perTenant: 1000, limit: 1000 })));
    const taken = hands.flat().map(({ deliveryId }) => deliveryId);
    expect(taken).toHaveLength(200);
    expect(new Set(taken).size).toBe(200);
  });

  it('gives a receiver, and a tenant, no more than its bound, with what is under way', async () => {
    await deliveries({ count: 50 });
    expect(await claim({ perHost: 8, busy: [{ tenant: 'default', host: 'a.example', n: 5 }] })).toHaveLength(3);
    expect(await claim({ perHost: 8, busy: [{ tenant: 'default', host: 'a.example', n: 9 }] })).toEqual([]);
    await deliveries({ count: 50, host: 'b#.example' });
    const busy = [{ tenant: 'default', host: 'elsewhere', n: 60 }];
    expect(await claim({ perTenant: 64, busy })).toHaveLength(4);
    // Another tenant's bound is its own.
    await deliveries({ count: 1, tenant: 'other' });
    expect(
      (await claim({ perTenant: 64, busy: [{ tenant: 'default', host: 'elsewhere', n: 64 }] })).map(
        ({ tenantId }) => tenantId,
      ),
    ).toEqual(['other']);
  });

  it('finds one receiver behind ten thousand rows of another, and any behind more receivers than it looks at', async () => {
    await deliveries({ count: 10_000, host: 'a.slow' });
    await deliveries({ count: 1_200, host: 'm#.later', dueIn: '1 hour' });
    const [wanted] = await deliveries({ count: 1, host: 'z.last', dueIn: '-1 ms' });
    const busy = [{ tenant: 'default', host: 'a.slow', n: 8 }];
    const found: string[] = [];
    let after: ClaimDueRequest['after'];
    let looks = 0;
    do {
      const answer = await claims.claimDue({ ...asked, busy, after });
      found.push(...ids(answer.claims));
      after = answer.next;
      looks += 1;
    } while (after !== undefined);
    expect(found).toEqual([wanted]);
    expect(looks).toBe(3);
  });

  it('leaves a notification behind an earlier one of its task and config, whatever became due first', async () => {
    const task = '01a1fe54-4a4a-7000-89aa-ee8f27cb4186';
    const [first, second] = await deliveries({ count: 2, kind: 'push', task });
    await db.query(`update deliveries set due_at = now() + interval '1 hour' where delivery_id = $1`, [first]);
    expect(await claim()).toEqual([]);
    await db.query(`update deliveries set status = 'dead' where delivery_id = $1`, [first]);
    expect(ids(await claim())).toEqual([second]);
  });
});

describe('an attempt', () => {
  it('counts when it begins: one that was cut off three times is dead', async () => {
    const [id = ''] = await deliveries({ count: 1 });
    for (let i = 1; i <= 3; i += 1) {
      const own = await claim();
      expect((await begin(own)).due).toMatchObject([{ deliveryId: id, tries: i }]);
      await db.query(`update deliveries set due_at = now() - interval '1 second'`);
    }
    const dead = { deliveryId: id, taskId: expect.any(String), kind: 'webhook' };
    expect(await begin(await claim())).toEqual({ due: [], secrets: [], dead: [dead] });
    const [row] = await db.query<{ status: string; attempts: unknown[] }>('select status, attempts from deliveries');
    expect(row).toMatchObject({ status: 'dead', attempts: [{}, {}, {}] });
    expect(await claim()).toEqual([]);
  });

  it('that was broken off by a stop is given back, as if it had not begun', async () => {
    await deliveries({ count: 1 });
    const own = await claim();
    await begin(own);
    await store.within({ tenantId: 'default' }, (rows) => rows.deliveries.giveBack(own));
    const [row] = await db.query('select tries, attempts from deliveries');
    expect(row).toEqual({ tries: 0, attempts: [] });
    expect(await claim()).toHaveLength(1);
  });

  it('on another tenant’s delivery begins nothing, by the database’s own rule', async () => {
    await deliveries({ count: 1, tenant: 'other' });
    const own = await claim();
    expect(own).toHaveLength(1);
    expect((await begin(own, 'default')).due).toEqual([]);
    expect(await store.within({ tenantId: 'default' }, (rows) => rows.deliveries.again(own[0]?.deliveryId ?? ''))).toBe(
      false,
    );
  });
});
