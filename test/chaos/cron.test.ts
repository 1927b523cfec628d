// Six replicas fire the same cron jobs while replicas are killed with -9: each due time makes one run with one task.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../support/database/database.ts';
import { until } from '../support/until.ts';
import { startReplica, type Replica } from './support/replica.ts';

const scale = process.env['SCALE'] === 'full' ? 10 : 1;
const jobs = 30 * scale;
const dueTimes = 10;

let db: TestDatabase;
let replicas: Replica[];
beforeAll(async () => {
  db = await cloneDatabase();
  replicas = await Promise.all(Array.from({ length: 6 }, () => startReplica(db.service, {})));
});
afterAll(async () => {
  for (const replica of replicas) await replica[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

async function call(path: string, body: unknown): Promise<void> {
  const headers = { authorization: 'Bearer token-of-the-editor', 'content-type': 'application/json' };
  const reply = await fetch(`${replicas[0]?.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
}

const count = async (text: string): Promise<number> => Number((await db.query<{ n: string }>(text))[0]?.n);

test('each due time makes one run with one task, whoever dies [platform-3.2.2, choices-10.8]', async () => {
  const template = { title: 'fired', prompt: 'do it' };
  for (let i = 0; i < jobs; i += 1) {
    await call('/v1/cronjobs', {
      name: `job ${i}`,
      cron: '* * * * *',
      overlap: 'allow',
      catch_up: 'all',
      task_template: template,
    });
  }
  // Due times of the last minutes: all of them are to be made up for.
  await db.query(`update cronjobs set due_at = date_trunc('minute', now()) - make_interval(mins => ${dueTimes})`);
  const total = jobs * dueTimes;
  const made = (): Promise<number> => count(`select count(*) as n from cronjob_runs`);
  for (const [at, replica] of replicas.slice(0, 4).entries()) {
    await until('some are fired', async () => (await made()) > (total * (at + 1)) / 6);
    await replica.kill();
  }
  await until(
    'all are fired',
    async () => (await count('select count(*) as n from cronjobs where due_at <= now()')) === 0,
    180_000,
  );
  expect(await made()).toBeGreaterThanOrEqual(total);
  expect(await count(`select count(*) as n from cronjob_runs where status <> 'started' or task_id is null`)).toBe(0);
  expect(
    await count(
      `select count(*) as n from (select from cronjob_runs group by cronjob_id, due_at having count(*) > 1) twice`,
    ),
  ).toBe(0);
  // A task for each run, and no task without one.
  expect(await count(`select count(*) as n from tasks t where t.metadata ? 'cronjob_run_id'`)).toBe(await made());
  expect(
    await count(`select count(*) as n from cronjob_runs r join tasks t on t.tenant_id = r.tenant_id and t.id = r.task_id
      and t.metadata->>'cronjob_run_id' = r.run_id::text`),
  ).toBe(await made());
}, 300_000);
