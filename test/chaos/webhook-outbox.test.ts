// The outbox under kill -9 and with several replicas: nothing is lost, nothing is sent by two at once, one id each.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, testConfig } from '../support/service.ts';
import { startChild } from './processes/child.ts';
import { cloneDatabase, type TestDatabase } from '../support/database/database.ts';
import { freePort } from '../support/process/program.ts';
import { until } from '../support/until.ts';
import { openReceiver, type Receiver } from '../support/peers/webhook-receiver.ts';

const full = process.env['SCALE'] === 'full';
const goodCount = full ? 1_000 : 150;
const kills = full ? 6 : 2;

let db: TestDatabase;
let receiver: Receiver;
beforeAll(async () => {
  db = await cloneDatabase();
  receiver = await openReceiver();
});
afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

const settings = { egressAllow: ['127.0.0.1'], webhookBackoffSeconds: 0.05 };

/** Finished tasks, written as the queue writes them: the outbox fills by itself. */
async function finishTasks(path: string, count: number, url = receiver.url): Promise<void> {
  await db.query(`insert into tenants (tenant_id, name) values ('default', 'default') on conflict do nothing`);
  await db.query(
    `with made as (
       insert into tasks (tenant_id, id, route_id, run_id, max_attempts, title, prompt, created_by, webhook_url)
       select 'default', make_uuid7(), 'r', make_uuid7(), 3, 't', 'p', 'token:editor', $1 || i
       from generate_series(1, $2) as i returning id
     ) select count(*) from made`,
    [`${url}${path}/`, count],
  );
  await db.query(
    `update tasks set status = 'cancelled', completed_at = now(), last_seq = 2 where status = 'pending' and webhook_url like $1`,
    [`${url}${path}/%`],
  );
}

/** Lets the time of every claim pass, in the only clock that counts: its holder was killed, and gives none back. */
async function endClaims(): Promise<void> {
  await db.query(`update deliveries set claimed_until = now() where status = 'pending' and claimed_until > now()`);
}

const statuses = async (path: string): Promise<Record<string, number>> => {
  const rows = await db.query<{ status: string; n: string }>(
    'select status, count(*) as n from deliveries where url like $1 group by status',
    [`%${path}/%`],
  );
  return Object.fromEntries(rows.map(({ status, n }) => [status, Number(n)]));
};

describe('the outbox', () => {
  it('is shared by two replicas: each delivery is sent once', async () => {
    await using one = await openService({ db, config: settings });
    await using two = await openService({ db, config: settings });
    expect(one.url).not.toBe(two.url);
    await finishTasks('/shared', goodCount);
    // The ordinary way to wake them: a task's log that grows.
    const hint = await one.task();
    await two.call('POST', `/v1/agent/tasks/${hint.id}/cancel`, { as: 'editor' });
    await until('all delivered', async () => (await statuses('/shared'))['delivered'] === goodCount);
    const arrivals = receiver.arrivals.filter(({ path }) => path.startsWith('/shared/'));
    expect(arrivals).toHaveLength(goodCount);
    expect(new Set(arrivals.map(({ headers }) => headers['webhook-id'])).size).toBe(goodCount);
  });

  it('outlives kill -9 in mid-send: what was under way is sent again, by another, under the same id', async () => {
    const port = await freePort();
    const config = testConfig({ ...settings, port });
    const env = { CHAOS_SERVICE: JSON.stringify({ config, address: db.service }) };
    await finishTasks('/hang-once', 3);
    const first = await startChild('service', env);
    try {
      await until(
        'three requests hang',
        () => receiver.arrivals.filter(({ path }) => path.startsWith('/hang-once/')).length === 3,
      );
    } finally {
      await first.kill();
    }
    await endClaims();
    await using second = await startChild('service', env);
    expect(second.pid).not.toBe(first.pid);
    await until('all delivered', async () => (await statuses('/hang-once'))['delivered'] === 3);
    const arrivals = receiver.arrivals.filter(({ path }) => path.startsWith('/hang-once/'));
    const byPath = Map.groupBy(arrivals, ({ path }) => path);
    for (const same of byPath.values()) {
      expect(same).toHaveLength(2);
      expect(new Set(same.map(({ headers, bytes }) => `${headers['webhook-id']} ${bytes.toString()}`)).size).toBe(1);
    }
    const [row] = await db.query<{ attempts: { error: string | null }[] }>(
      `select attempts from deliveries where url like '%/hang-once/1'`,
    );
    // Both attempts are recorded: the one that was cut off, and the one that arrived.
    expect(row?.attempts.map(({ error }) => error)).toEqual(['the service stopped during this attempt', null]);
  });

  it(`brings ${goodCount} good ones home beside a zoo of bad receivers, over ${kills} × kill -9: at least once, under one id, never more than three attempts`, async () => {
    const zoo = await openReceiver();
    const bad = ['/answer-500', '/hang', '/reset', '/redirect', '/drip', '/endless', '/short', '/garbage'];
    for (const path of bad) await finishTasks(path, 10, zoo.url);
    const config = testConfig({ ...settings, port: await freePort() });
    const env = { CHAOS_SERVICE: JSON.stringify({ config, address: db.service }) };
    let service = await startChild('service', env);
    try {
      for (let i = 1; i <= kills; i += 1) {
        await finishTasks(`/good/${i}`, Math.floor(goodCount / kills));
        const seen = receiver.arrivals.length;
        await until('some are under way', () => receiver.arrivals.length > seen + 5);
        await service.kill();
        await endClaims();
        service = await startChild('service', env);
      }
      const wanted = Math.floor(goodCount / kills) * kills;
      await until('all delivered', async () => (await statuses('/good'))['delivered'] === wanted);
    } finally {
      await service.kill();
      await zoo[Symbol.asyncDispose]();
    }
    const good = receiver.arrivals.filter(({ path }) => path.startsWith('/good/'));
    const ids = Map.groupBy(good, ({ path }) => path);
    for (const [path, arrivals] of ids) {
      expect([path, new Set(arrivals.map(({ headers }) => headers['webhook-id'])).size]).toEqual([path, 1]);
    }
    const tries = Map.groupBy([...good, ...zoo.arrivals], ({ headers }) => headers['webhook-id'] ?? '');
    expect(Math.max(...[...tries.values()].map(({ length }) => length))).toBeLessThanOrEqual(3);
    expect(zoo.on('/decoy')).toEqual([]);
  });
});
