// Usage by day and group, and the queue's history: what ended tasks leave, once each, whatever folds and crashes.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foldUsage, retainUsage, sampleQueues } from '../../../src/domain/insight/fold-usage.ts';
import { until } from '../../support/until.ts';
import { openVerbs, type Verbs } from '../../support/verbs.ts';
import {
  openService,
  type ApiReply,
  type ManualWorker,
  type TestService,
  type TestUser,
} from '../../support/service.ts';

let service: TestService;
let worker: ManualWorker;
let verbs: Verbs;
beforeAll(async () => {
  service = await openService();
  worker = await service.worker({
    name: 'build-7',
    slots: 50,
    codebases: [{ codebase_id: 'global', name: 'g', path: '/g' }],
  });
  verbs = await openVerbs(service.db);
});
afterAll(async () => {
  await verbs[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

const fold = (): Promise<number> => foldUsage(verbs, new AbortController().signal);

/** Folds until every end is folded: a transaction of anybody on this server may hold the fold back for a moment. */
async function foldAll(): Promise<void> {
  await until('every end is folded', async () => {
    await fold();
    const [row] = await service.db.query<{ n: number }>(
      `select cardinality(unfolded_ends('default', 100000)) + cardinality(unfolded_ends('other', 100000)) as n`,
    );
    return row?.n === 0;
  });
}
const today = (): string => new Date().toISOString().slice(0, 10);

async function end(fields: Record<string, unknown>, release: Record<string, unknown>): Promise<string> {
  const { id } = await service.task(fields);
  const [assignment] = await worker.claim(1, id);
  if (assignment === undefined) throw new Error('not claimed');
  expect((await worker.release(assignment, release)).status).toBe(200);
  return id;
}

const usage = (query: string, as: TestUser = 'viewer'): Promise<ApiReply> =>
  service.call('GET', `/v1/monitor/usage?${query}`, { as });
const rowOf = async (query: string, key: string | null): Promise<ApiReply['body']> =>
  (await usage(query)).body.usage.find((row: { key: string | null }) => row.key === key);

describe('GET /v1/monitor/usage', () => {
  it('counts each task that ended, with its tokens and cost, before and after the fold [ui-6.8.1, ui-6.8.2]', async () => {
    const model = `m-${randomUUID()}`;
    const priced = { input_tokens: 100, output_tokens: 10, cached_tokens: 40, cost_usd: 0.25 };
    await end({ model }, { status: 'completed', usage: priced });
    await end({ model }, { status: 'completed', usage: { input_tokens: 7 } });
    const failed = await end({ model }, { status: 'failed', error: { code: 'x', message: 'y' }, usage: priced });
    const again = await service.call('POST', `/v1/agent/tasks/${failed}/retry`, { as: 'operator' });
    await service.call('POST', `/v1/agent/tasks/${again.body.task.id}/cancel`, { as: 'operator' });
    const expected = {
      key: model,
      label: model,
      tasks: 4,
      completed: 2,
      failed: 1,
      retried: 1,
      first_attempt: 2,
      median_seconds: expect.any(Number),
      input_tokens: 207,
      output_tokens: 20,
      cached_tokens: 80,
      cost_usd: 0.5,
      unpriced_tasks: 1,
    };
    expect(await rowOf('group_by=model', model)).toEqual(expected);
    await foldAll();
    expect(await rowOf('group_by=model', model)).toEqual(expected);
    await foldAll();
    expect(await rowOf('group_by=model', model)).toEqual(expected);
  });

  it('groups by each of its dimensions, with the names of codebases and workers [ui-6.8.3]', async () => {
    const target = { target_agent: 'build-7', agent_type: 'plan' };
    await end({ ...target, codebase_id: 'global' }, { status: 'completed' });
    expect(await rowOf('group_by=day', today())).toMatchObject({ label: today() });
    expect(await rowOf('group_by=worker', worker.id)).toMatchObject({ label: 'build-7' });
    expect(await rowOf('group_by=codebase', 'global')).toMatchObject({ label: 'g' });
    expect(await rowOf('group_by=agent', 'build-7')).toMatchObject({ tasks: 1 });
    expect(await rowOf('group_by=agent_type', 'plan')).toMatchObject({ tasks: 1 });
    expect(await rowOf('group_by=created_by', 'token:editor')).toMatchObject({ tasks: expect.any(Number) });
    expect(await rowOf('group_by=ralph_run', null)).toMatchObject({ label: 'none' });
  });

  it('an unknown cost is null and counted as unpriced, never 0 [ui-6.8.4]', async () => {
    const model = `m-${randomUUID()}`;
    await end({ model }, { status: 'completed' });
    expect(await rowOf('group_by=model', model)).toMatchObject({ cost_usd: null, unpriced_tasks: 1 });
    await foldAll();
    expect(await rowOf('group_by=model', model)).toMatchObject({ cost_usd: null, unpriced_tasks: 1 });
  });

  it('takes days and times, the last 30 days by default, and refuses a from after its to [ui-6.8.5]', async () => {
    await end({}, { status: 'completed' });
    expect((await usage(`from=${today()}&to=${today()}`)).body.usage).toHaveLength(1);
    expect((await usage('from=2001-01-01&to=2001-01-31')).body.usage).toEqual([]);
    expect((await usage('from=0000-01-01T00:00:00Z')).body.usage).toHaveLength(1);
    expect((await usage(`from=2001-02-01T00:00:00%2B02:00&to=${today()}`)).body.usage).toHaveLength(1);
    const refused = await usage('from=2026-02-01&to=2026-01-01');
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: '/query/from' }] } });
    expect(await usage('group_by=secret')).toMatchObject({ status: 400 });
  });

  it('a tenant sees its own tasks alone [ui-6.8.6]', async () => {
    await service
      .task({ model: 'of-other' }, 'other')
      .then(({ id }) => service.call('POST', `/v1/agent/tasks/${id}/cancel`, { as: 'other' }));
    for (const look of [usage('group_by=model'), foldAll().then(() => usage('group_by=model'))]) {
      expect(JSON.stringify((await look).body)).not.toContain('of-other');
    }
    expect((await usage('group_by=model', 'other')).body.usage).toMatchObject([{ key: 'of-other', tasks: 1 }]);
  });
});

describe('the fold', () => {
  it('by several leaders at once, cut off anywhere, counts no task twice and leaves none out [ui-6.8.7]', async () => {
    const model = `m-${randomUUID()}`;
    const total = 24;
    for (let i = 0; i < total; i += 1) await end({ model }, { status: 'completed', usage: { output_tokens: 1 } });
    // A leader that dies: its connection ends in the middle of its transaction.
    const dying = new pg.Client(service.db.superuser);
    await dying.connect();
    dying.on('error', () => undefined);
    await dying.query(`begin; set local role a2a_app; select set_config('app.current_tenant_id', 'default', true)`);
    await dying.query(`select fold_usage('default', 5)`);
    await service.db.query('select pg_terminate_backend($1)', [
      (await dying.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid,
    ]);
    await dying.end().catch(() => undefined);
    const one = verbs.store;
    // Pages of three events, so that the mark stops within transactions and tasks too.
    const small = async (): Promise<void> => {
      while ((await one.within({ tenantId: 'default' }, (rows) => rows.usage.fold(3))) > 0);
    };
    await Promise.all([small(), small(), fold()]);
    await foldAll();
    expect(await rowOf('group_by=model', model)).toMatchObject({ tasks: total, output_tokens: total });
    const stored = await service.db.query<{ tasks: string }>(
      `select tasks from usage_days where dimension = 'model' and key = $1`,
      [model],
    );
    expect(stored).toEqual([{ tasks: String(total) }]);
  });

  it('stops before a transaction that still runs, and counts its task afterwards [ui-6.8.7]', async () => {
    const model = `m-${randomUUID()}`;
    const { id } = await service.task({ model });
    const slow = new pg.Client(service.db.superuser);
    await slow.connect();
    try {
      await slow.query(`begin; set local role a2a_app; select set_config('app.current_tenant_id', 'default', true)`);
      await slow.query(`select queue_end('default', $1, 'cancelled', null, 'slow')`, [id]);
      // Ends later in a younger transaction, and is committed first.
      await end({ model }, { status: 'completed' });
      await fold();
      await slow.query('commit');
      await foldAll();
      expect(await rowOf('group_by=model', model)).toMatchObject({ tasks: 2, completed: 1 });
    } finally {
      await slow.end();
    }
  });

  it('outlives its tasks, and goes after 400 days, the samples after 90 [ui-6.8.8]', async () => {
    const model = `m-${randomUUID()}`;
    const id = await end({ model }, { status: 'completed' });
    await foldAll();
    await service.db.query(`update tasks set completed_at = now() - interval '31 days' where id = $1`, [id]);
    await verbs.store.within({ tenantId: 'default' }, (rows) => rows.taskMoves.dropFinished(30, 500));
    expect(await rowOf('group_by=model', model)).toMatchObject({ tasks: 1 });
    await service.db.query(
      `insert into usage_days (tenant_id, dimension, day, key) values ('default', 'model', (now() at time zone 'utc')::date - 401, 'old'),
         ('default', 'model', (now() at time zone 'utc')::date - 399, 'kept')`,
    );
    await service.db.query(
      `insert into queue_history (tenant_id, at) values ('default', now() - interval '91 days'), ('default', now() - interval '89 days')`,
    );
    await retainUsage(verbs, new AbortController().signal);
    const left = await service.db.query<{ key: string }>(`select key from usage_days where key in ('old', 'kept')`);
    expect(left).toEqual([{ key: 'kept' }]);
    const samples = await service.db.query(`select from queue_history where at < now() - interval '1 day'`);
    expect(samples).toHaveLength(1);
  });
});

describe('GET /v1/monitor/history', () => {
  const history = (query: string): Promise<ApiReply> =>
    service.call('GET', `/v1/monitor/history?${query}`, { as: 'viewer' });
  const since = (ms: number): string => new Date(Date.now() - ms).toISOString();

  it('has a point for each step, with the queue now, samples, and what ended [ui-6.8.9]', async () => {
    await service.task({});
    await end({}, { status: 'completed' });
    const { body } = await history(`from=${since(3_600_000)}&step=600`);
    expect(body.points.length).toBeGreaterThanOrEqual(6);
    expect(body.points.length).toBeLessThanOrEqual(7);
    const last = body.points.at(-1);
    expect(last).toMatchObject({ queued: expect.any(Number), running: expect.any(Number) });
    expect(last.queued).toBeGreaterThanOrEqual(1);
    const ended = body.points.reduce((sum: number, point: ApiReply['body']) => sum + point.ended.completed, 0);
    expect(ended).toBeGreaterThanOrEqual(1);
    const busy = body.points.find((point: ApiReply['body']) => point.ended.completed > 0);
    expect(busy.wait).toEqual({ p50: expect.any(Number), p95: expect.any(Number) });
    expect(busy.run.p95).toBeGreaterThanOrEqual(busy.run.p50);
    await sampleQueues(verbs, new AbortController().signal);
    const sampled = await service.db.query<{ queued: string }>(
      `select queued from queue_history where tenant_id = 'default' order by at desc limit 1`,
    );
    expect(Number(sampled[0]?.queued)).toBeGreaterThanOrEqual(1);
  });

  it('has at most 500 points, and by default as few as that needs [ui-6.8.10]', async () => {
    expect((await history('')).body.points.length).toBeLessThanOrEqual(500);
    expect(await history('step=60')).toMatchObject({ status: 400, body: { errors: [{ path: '/query/step' }] } });
    expect(await history('from=2026-02-01&to=2026-01-01')).toMatchObject({ status: 400 });
    expect((await history('from=2001-01-01&to=2001-01-01&step=3600')).body.points).toHaveLength(24);
  });
});

it('a median lies within 2.5 % of the true one [ui-6.8.3]', async () => {
  for (const seconds of [0.004, 0.9, 13, 3_600, 200_000]) {
    const [row] = await service.db.query<{ median: number }>(
      'select duration_percentile(jsonb_build_object(duration_bucket($1), 3), 0.5) as median',
      [seconds],
    );
    expect(Math.abs((row?.median ?? 0) / seconds - 1)).toBeLessThan(0.03);
  }
});
