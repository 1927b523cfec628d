// Finding and claiming deliveries: only due ones, fair to every receiver, one sender for each.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type pg from 'pg';
import { openPool } from '../../../../src/adapters/postgres/connection/connections.ts';
import { dueDeliveries } from '../../../../src/adapters/postgres/store/due-deliveries.ts';
import { postgresStore } from '../../../../src/adapters/postgres/store/store.ts';
import type {
  DueDeliveries,
  DueDelivery,
  FindDueRequest,
  FoundDelivery,
} from '../../../../src/domain/ports/store/deliveries.ts';
import type { Store } from '../../../../src/domain/ports/store/store.ts';
import { cloneDatabase, type TestDatabase } from '../../../support/database/database.ts';

let db: TestDatabase;
let pool: pg.Pool;
let outbox: DueDeliveries;
let store: Store;
beforeAll(async () => {
  db = await cloneDatabase();
  pool = openPool({ address: db.service, role: 'a2a_app', max: 4, log: () => {} });
  outbox = dueDeliveries(pool);
  store = postgresStore({ pool, offlineAfterSeconds: 60, idempotencyHours: 48 });
});
afterAll(async () => {
  await pool.end();
  await db[Symbol.asyncDispose]();
});
beforeEach(() => db.query('truncate deliveries'));

const findRequest: FindDueRequest = { limit: 100, perHost: 8, perTenant: 64, busy: [], after: undefined };

/** Rows of the outbox, one receiver per `host`. */
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

const findDue = async (request: Partial<FindDueRequest> = {}): Promise<FoundDelivery[]> =>
  (await outbox.findDue({ ...findRequest, ...request })).found;

const begin = (own: readonly FoundDelivery[], tenantId = 'default') =>
  store.within({ tenantId }, (rows) => rows.deliveries.claim(own, { leaseSeconds: 15, maxTries: 3 }));

/** Polls, and claims the found deliveries of the tenant `default`. */
const claim = async (request: Partial<FindDueRequest> = {}): Promise<readonly DueDelivery[]> =>
  (await begin(await findDue(request))).due;

const runOut = () => db.query(`update deliveries set claimed_until = now() - interval '1 second'`);

const none = { taskId: '', deliveryId: '' };

const ids = (own: readonly { deliveryId: string }[]): string[] => own.map(({ deliveryId }) => deliveryId);

describe('a claim', () => {
  it('gets due deliveries of every tenant, and no others', async () => {
    const due = [...(await deliveries({ count: 2 })), ...(await deliveries({ count: 1, tenant: 'other' }))];
    await deliveries({ count: 2, dueIn: '1 hour' });
    expect(ids(await findDue()).toSorted()).toEqual(due.toSorted());
  });

  it('holds until its lease expires; the next claim has a later epoch', async () => {
    await deliveries({ count: 1 });
    const found = await findDue();
    const [first] = (await begin(found)).due;
    expect(await findDue()).toEqual([]);
    // A second sender that found it too gets nothing.
    expect(await begin(found)).toEqual({ due: [], secrets: [], dead: [] });
    await runOut();
    const [second] = await claim();
    expect(second?.epoch).toBe((first?.epoch ?? 0) + 1);
    // An outcome of the first claim changes nothing any more.
    const name = { taskId: first?.taskId ?? '', deliveryId: first?.deliveryId ?? '' };
    const outcome = { ...name, delivered: true, statusCode: 200, error: null, waitSeconds: 0 };
    const record = (epoch: number) =>
      store.within({ tenantId: 'default' }, (rows) => rows.deliveries.record([{ ...outcome, epoch }], 3));
    expect(await record(first?.epoch ?? 0)).toEqual([]);
    expect(await record(second?.epoch ?? 0)).toEqual([{ deliveryId: outcome.deliveryId, status: 'delivered' }]);
  });

  it('after a failed attempt is possible when the next attempt is due', async () => {
    await deliveries({ count: 1 });
    const outcome = { delivered: false, statusCode: 500, error: null };
    const fail = async (waitSeconds: number): Promise<void> => {
      const outcomes = (await claim()).map(({ taskId, deliveryId, epoch }) => ({
        ...outcome,
        taskId,
        deliveryId,
        epoch,
        waitSeconds,
      }));
      await store.within({ tenantId: 'default' }, (rows) => rows.deliveries.record(outcomes, 3));
    };
    await fail(0);
    await fail(3600);
    expect(await findDue()).toEqual([]);
    const [row] = await db.query(`select tries, due_at > now() + interval '59 minutes' as later from deliveries`);
    expect(row).toEqual({ tries: 2, later: true });
  });

  it('gives each delivery to one of several senders that found it', async () => {
    await deliveries({ count: 200, host: 'h#.example' });
    const claimers = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const found = await findDue({ perTenant: 1000, limit: 1000 });
        return [found.length, (await begin(found)).due] as const;
      }),
    );
    const held = claimers.flatMap(([, due]) => due.map((one) => ({ ...one, tenantId: 'default', host: '' })));
    const taken = ids(held);
    expect(taken).toHaveLength(200);
    expect(new Set(taken).size).toBe(200);
    const same = await Promise.all(Array.from({ length: 4 }, () => begin(held)));
    expect(same.flatMap(({ due }) => due)).toEqual([]);
    await runOut();
    const again = await Promise.all(Array.from({ length: 4 }, () => begin(held)));
    expect(ids(again.flatMap(({ due }) => due)).toSorted()).toEqual(taken.toSorted());
  });

  it('changes no index', async () => {
    const [id = ''] = await deliveries({ count: 1 });
    const columns = await db.query<{ column: string }>(
      `select distinct a.attname as column from pg_index i join pg_attribute a on a.attrelid = i.indrelid
         and (a.attnum = any (i.indkey) or pg_get_expr(i.indpred, i.indrelid) ~ a.attname)
       where i.indrelid = 'deliveries'::regclass and a.attnum > 0`,
    );
    const [before] = await db.query<Record<string, unknown>>('select * from deliveries');
    expect(ids(await claim())).toEqual([id]);
    const [after] = await db.query<Record<string, unknown>>('select * from deliveries');
    for (const { column } of columns) expect([column, after?.[column]]).toEqual([column, before?.[column]]);
    expect(columns.map(({ column }) => column)).toContain('due_at');
  });

  it('gives a receiver, and a tenant, no more than its bound, including deliveries in flight', async () => {
    await deliveries({ count: 50 });
    expect(await findDue({ perHost: 8, busy: [{ tenant: 'default', host: 'a.example', n: 5 }] })).toHaveLength(3);
    expect(await findDue({ perHost: 8, busy: [{ tenant: 'default', host: 'a.example', n: 9 }] })).toEqual([]);
    await deliveries({ count: 50, host: 'b#.example' });
    const busy = [{ tenant: 'default', host: 'elsewhere', n: 60 }];
    expect(await findDue({ perTenant: 64, busy })).toHaveLength(4);
    // Another tenant's bound is its own.
    await deliveries({ count: 1, tenant: 'other' });
    expect(
      (await findDue({ perTenant: 64, busy: [{ tenant: 'default', host: 'elsewhere', n: 64 }] })).map(
        ({ tenantId }) => tenantId,
      ),
    ).toEqual(['other']);
  });

  it('finds a receiver behind ten thousand rows of another, and any receiver behind more than one poll reads', async () => {
    await deliveries({ count: 10_000, host: 'a.slow' });
    await deliveries({ count: 1_200, host: 'm#.later', dueIn: '1 hour' });
    const [wanted] = await deliveries({ count: 1, host: 'z.last', dueIn: '-1 ms' });
    const busy = [{ tenant: 'default', host: 'a.slow', n: 8 }];
    const found: string[] = [];
    let after: FindDueRequest['after'];
    let polls = 0;
    do {
      const answer = await outbox.findDue({ ...findRequest, busy, after });
      found.push(...ids(answer.found));
      after = answer.next;
      polls += 1;
    } while (after !== undefined);
    expect(found).toEqual([wanted]);
    expect(polls).toBe(3);
  });

  it('leaves a notification behind an earlier one of its task and config, whatever became due first', async () => {
    const task = '01a1fe54-4a4a-7000-89aa-ee8f27cb4186';
    const [first, second] = await deliveries({ count: 2, kind: 'push', task });
    await db.query(`update deliveries set due_at = now() + interval '1 hour' where delivery_id = $1`, [first]);
    expect(await findDue()).toEqual([]);
    await db.query(`update deliveries set status = 'dead' where delivery_id = $1`, [first]);
    expect(ids(await findDue())).toEqual([second]);
  });
});

describe('an attempt', () => {
  it('counts when it begins: a delivery that was cut off three times is dead', async () => {
    const [id = ''] = await deliveries({ count: 1 });
    for (let i = 1; i <= 3; i += 1) {
      expect(await claim()).toMatchObject([{ deliveryId: id, tries: i }]);
      await runOut();
    }
    const dead = { deliveryId: id, taskId: expect.any(String), kind: 'webhook' };
    expect(await begin(await findDue())).toEqual({ due: [], secrets: [], dead: [dead] });
    const [row] = await db.query<{ status: string; attempts: unknown[] }>('select status, attempts from deliveries');
    expect(row).toMatchObject({ status: 'dead', attempts: [{}, {}, {}] });
    expect(await findDue()).toEqual([]);
  });

  it('that was aborted by a shutdown is released, as if it had not begun', async () => {
    await deliveries({ count: 1 });
    const own = await claim();
    await store.within({ tenantId: 'default' }, (rows) => rows.deliveries.release(own));
    const [row] = await db.query('select tries, attempts from deliveries');
    expect(row).toEqual({ tries: 0, attempts: [] });
    expect(await claim()).toHaveLength(1);
  });

  it('on another tenant’s delivery has no effect, by row-level security', async () => {
    await deliveries({ count: 1, tenant: 'other' });
    const own = await findDue();
    expect(own).toHaveLength(1);
    expect((await begin(own, 'default')).due).toEqual([]);
    expect(await store.within({ tenantId: 'default' }, (rows) => rows.deliveries.requeue(own[0] ?? none))).toBe(false);
  });
});
