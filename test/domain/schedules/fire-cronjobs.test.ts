// Rounds of the loop of cron jobs on several replicas at once, with cut connections, and with jobs that cannot work.
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { CronDeps } from '../../../src/domain/schedules/cron-deps.ts';
import type { Rows } from '../../../src/domain/ports/store/store.ts';
import { createCronjob } from '../../../src/domain/schedules/change-cronjob.ts';
import { endCronjobRun } from '../../../src/domain/schedules/end-run.ts';
import { fireCronjobs, type CronLoopDeps } from '../../../src/domain/schedules/fire-cronjobs.ts';
import { cloneDatabase, type TestDatabase } from '../../support/database/database.ts';
import { until } from '../../support/until.ts';
import { callerOf, openVerbs, type Verbs } from '../../support/verbs.ts';

let db: TestDatabase;
let replicas: Verbs[];
beforeAll(async () => {
  db = await cloneDatabase();
  replicas = await Promise.all(Array.from({ length: 3 }, () => openVerbs(db)));
});
afterAll(async () => {
  for (const replica of replicas) await replica[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});
beforeEach(() => db.query('delete from cronjobs'));

/** By status, and `postponed`. */
type Counts = Record<string, number>;

function countingMetrics(counts: Counts): CronDeps['metrics'] {
  const count = (name: string, by = 1): void => void (counts[name] = (counts[name] ?? 0) + by);
  return {
    handled: count,
    ended: (status) => count(`ended ${status}`),
    lagged: () => count('lagged'),
    postponed: () => count('postponed'),
  };
}

function depsOf(verbs: Verbs, counts: Counts = {}): CronLoopDeps {
  return { ...verbs, principals: { find: () => undefined }, metrics: countingMetrics(counts) };
}

const first = (): Verbs => {
  const [verbs] = replicas;
  if (verbs === undefined) throw new Error('no replica');
  return verbs;
};

/** Jobs of each minute whose oldest due time was so many minutes ago. */
async function insertJobs(count: number, fields: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const { overlap = 'allow', timezone = 'UTC', minutesAgo = '3', tenant = 'default' } = fields;
  const rows = await db.query<{ id: string }>(
    `insert into cronjobs (tenant_id, cronjob_id, name, cron, timezone, enabled, overlap, catch_up, catch_up_window_seconds,
       jitter_seconds, task_template, created_by, acts_as, due_at)
     select $5, gen_random_uuid(), 'j', '* * * * *', $3, true, $2, 'all', 86400, 0, '{"prompt": "do it"}', 'someone',
       '{"homeTenantId": "default", "roles": ["editor"], "scopes": null, "keyId": null}',
       date_trunc('minute', now()) - make_interval(mins => $4)
     from generate_series(1, $1) returning cronjob_id as id`,
    [count, overlap, timezone, minutesAgo, tenant],
  );
  return rows.map(({ id }) => id);
}

const numberOf = async (text: string): Promise<number> => Number((await db.query<{ n: string }>(text))[0]?.n);
const dueJobs = (): Promise<number> => numberOf('select count(*) as n from cronjobs where due_at <= now()');

/** Each due time has one run, each run one task, and no task is left over. */
async function expectOnce(atLeast: number): Promise<void> {
  const runs = await numberOf('select count(*) as n from cronjob_runs');
  expect(runs).toBeGreaterThanOrEqual(atLeast);
  expect(await numberOf('select count(distinct (cronjob_id, due_at)) as n from cronjob_runs')).toBe(runs);
  expect(
    await numberOf(`select count(*) as n from cronjob_runs r join tasks t on t.tenant_id = r.tenant_id and t.id = r.task_id
      and t.metadata->>'cronjob_run_id' = r.run_id::text and t.metadata->>'cronjob_id' = r.cronjob_id::text`),
  ).toBe(runs);
  const ours = `metadata->>'cronjob_id' in (select cronjob_id::text from cronjobs)`;
  expect(await numberOf(`select count(*) as n from tasks where ${ours}`)).toBe(runs);
  // No due time was passed over: the oldest is the one that was set, and there is one for each minute.
  expect(
    await numberOf(`select count(*) as n from (select count(*) as made,
      extract(epoch from max(due_at) - min(due_at)) / 60 + 1 as minutes from cronjob_runs group by cronjob_id) j
      where made <> minutes`),
  ).toBe(0);
}

it('rounds of three replicas at once make one run of each due time [platform-3.2.2, choices-10.8]', async () => {
  const jobs = 25;
  await insertJobs(jobs);
  const counts: Counts = {};
  while ((await dueJobs()) > 0) {
    await Promise.all(replicas.map((verbs) => fireCronjobs(depsOf(verbs, counts))));
  }
  await expectOnce(jobs * 4);
  expect(counts['started']).toBe(await numberOf('select count(*) as n from cronjob_runs'));
  expect(counts['lagged']).toBe(counts['started']);
});

it('connections that are cut lose no due time and make none twice [platform-3.2.2]', async () => {
  const jobs = 20;
  await insertJobs(jobs);
  const failures: unknown[] = [];
  let cuts = 0;
  while ((await dueJobs()) > 0) {
    const rounds = replicas.map((verbs) =>
      fireCronjobs(depsOf(verbs)).catch((error: unknown) => void failures.push(error)),
    );
    const round = { over: false };
    const all = Promise.all(rounds).finally(() => {
      round.over = true;
    });
    while (!round.over && cuts < 12) {
      const ended = await db.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = $1
           and state <> 'idle' and query like '%cronjob%'`,
        [db.service.user],
      );
      if (ended.length > 0) cuts += 1;
    }
    await all;
  }
  expect(failures.length).toBeGreaterThan(0);
  await expectOnce(jobs * 4);
});

it('jobs that cannot work get a failed run, and hold up no other [platform-3.2.20]', async () => {
  await insertJobs(205, { timezone: 'Mars/Olympus', minutesAgo: '30' });
  const [good] = await insertJobs(1, { minutesAgo: '0' });
  const counts: Counts = {};
  await fireCronjobs(depsOf(first(), counts));
  expect(await db.query('select status from cronjob_runs where cronjob_id = $1', [good])).toEqual([
    { status: 'started' },
  ]);
  expect(counts).toMatchObject({ failed: 205, started: 1 });
  const [bad] = await db.query(
    `select r.status, r.reason, r.task_id, j.due_at, j.failure_count::integer, j.last_error->>'code' as code
     from cronjobs j join cronjob_runs r using (tenant_id, cronjob_id) where j.timezone <> 'UTC' limit 1`,
  );
  expect(bad).toEqual({
    status: 'failed',
    reason: 'unknown_timezone',
    task_id: null,
    due_at: null,
    failure_count: 1,
    code: 'unknown_timezone',
  });
});

it('a due time that fails for another reason is tried again, and the job says so [platform-3.2.20]', async () => {
  const [id] = await insertJobs(1, { minutesAgo: '0' });
  const counts: Counts = {};
  const broken = (): never => {
    throw new Error('a bug');
  };
  const isFirst = { ...depsOf(first(), counts), makeId: broken };
  await expect(fireCronjobs(isFirst)).rejects.toThrow('a bug');
  await expect(fireCronjobs(isFirst)).rejects.toThrow('a bug');
  expect(await db.query(`select last_error->>'code' as code, version from cronjobs`)).toEqual([
    { code: 'firing_failed', version: 1 },
  ]);
  await fireCronjobs(depsOf(first(), counts));
  expect(await db.query('select status from cronjob_runs where cronjob_id = $1', [id])).toEqual([
    { status: 'started' },
  ]);
  expect(counts).toMatchObject({ postponed: 2, started: 1 });
});

it('a task that ends while it is superseded ends its own run [platform-3.2.14, platform-3.2.16]', async () => {
  const [id = ''] = await insertJobs(1, { overlap: 'cancel_previous', minutesAgo: '0' });
  await fireCronjobs(depsOf(first()));
  await db.query(`update cronjobs set due_at = now() - interval '1 second'`);
  const verbs = first();
  const racing: Verbs['store'] = {
    ...verbs.store,
    within: (tenant, work) => verbs.store.within(tenant, (rows) => work(endingAfterRead(verbs, rows))),
  };
  const deps = depsOf(verbs);
  await fireCronjobs({ ...deps, store: racing });
  const runs = (): Promise<object[]> =>
    db.query('select status, reason from cronjob_runs where cronjob_id = $1 order by due_at', [id]);
  expect(await runs()).toEqual([
    { status: 'started', reason: null },
    { status: 'started', reason: null },
  ]);
  const [ended] = await db.query<{ task_id: string }>(`select task_id from cronjob_runs order by due_at limit 1`);
  await endCronjobRun(deps, { tenantId: 'default', taskId: String(ended?.task_id) });
  expect(await runs()).toEqual([
    { status: 'failed', reason: 'broke' },
    { status: 'started', reason: null },
  ]);
});

/** Rows with which each open task of a job fails, in another transaction, right after it was read. */
function endingAfterRead({ store }: Verbs, rows: Rows): Rows {
  const cronjobs: Rows['cronjobs'] = {
    ...rows.cronjobs,
    async openTasks(cronjobId) {
      const open = await rows.cronjobs.openTasks(cronjobId);
      for (const { taskId } of open) {
        const error = { code: 'broke', message: 'it broke' };
        await store.within({ tenantId: 'default' }, (other) => other.taskMoves.end(taskId, 'failed', error, 'test'));
      }
      return open;
    },
  };
  return new Proxy(rows, {
    get: (target, name) => (name === 'cronjobs' ? cronjobs : Reflect.get(target, name, target)),
  });
}

it('the end of a run locks the job before the run, as a firing and a deletion do', async () => {
  await insertJobs(1, { minutesAgo: '0' });
  const deps = depsOf(first());
  await fireCronjobs(deps);
  const [run] = await db.query<{ task_id: string }>('select task_id from cronjob_runs');
  const taskId = String(run?.task_id);
  const error = { code: 'broke', message: 'it broke' };
  await deps.store.within({ tenantId: 'default' }, (rows) => rows.taskMoves.end(taskId, 'failed', error, 'test'));
  const other = new pg.Client(db.superuser);
  await other.connect();
  try {
    await other.query('begin');
    await other.query('select from cronjobs for update');
    const ending = endCronjobRun(deps, { tenantId: 'default', taskId });
    await until(
      'it waits for the job',
      async () =>
        (await numberOf(`select count(*) as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)) > 0,
    );
    await other.query(`update cronjob_runs set reason = 'locked second'`);
    await other.query('commit');
    await ending;
  } finally {
    await other.end();
  }
  expect(await db.query('select status, reason from cronjob_runs')).toEqual([{ status: 'failed', reason: 'broke' }]);
  expect(await db.query('select failure_count::integer from cronjobs')).toEqual([{ failure_count: 1 }]);
});

it('two callers cannot both make the last of a thousand jobs [platform-3.3.3]', async () => {
  await insertJobs(999, { tenant: 'other' });
  const settings = {
    name: 'one more',
    description: null,
    cron: '@daily',
    timezone: 'UTC',
    enabled: false,
    overlap: 'skip',
    catchUp: 'last',
    catchUpWindowSeconds: 60,
    jitterSeconds: 0,
    startsAt: null,
    endsAt: null,
    taskTemplate: { prompt: 'do it' },
  } as const;
  const outcomes = await Promise.allSettled(
    replicas.map((verbs) => createCronjob(depsOf(verbs), callerOf('editor', 'other'), settings)),
  );
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused).toMatchObject([{ reason: { code: 'too_many_cronjobs' } }, { reason: { code: 'too_many_cronjobs' } }]);
});
