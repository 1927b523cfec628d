// The cost of a claim beside tasks of other workers, read from the plans that the database really uses.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitSettings } from '../../../../src/adapters/postgres/connection/connections.ts';
import { taskRows } from '../../../../src/adapters/postgres/store/rows/tasks/task-rows.ts';
import { taskLimits } from '../../../../src/domain/model/task/task-limits.ts';
import { cloneDatabase, type TestDatabase } from '../../../support/database/database.ts';
import { openVerbs, type Verbs } from '../../../support/verbs.ts';
import { createQueueDriver, type QueueDriver } from '../../../support/queue/queue-driver.ts';

let db: TestDatabase;
let verbs: Verbs;
let driver: QueueDriver;
beforeAll(async () => {
  db = await cloneDatabase();
  verbs = await openVerbs(db);
  driver = createQueueDriver(verbs, db);
});
afterAll(async () => {
  await verbs[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Actual Loops'?: number;
  readonly Plans?: readonly Node[];
}

/** A connection like the service's that reports the plan of every statement, including those in functions. */
async function openTelling(plans: Node[]): Promise<pg.Client> {
  const client = new pg.Client(db.superuser);
  client.on('notice', ({ message }) => {
    const json = /\{[^]*\}/.exec(message ?? '')?.[0];
    if (json !== undefined) plans.push(JSON.parse(json).Plan);
  });
  await client.connect();
  await client.query(`load 'auto_explain'`);
  const settings = {
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
  };
  for (const [name, value] of Object.entries(settings)) await client.query(`set ${name} = '${value}'`);
  await client.query('set role a2a_app');
  return client;
}

async function claim(client: pg.Client, workerId: string, limit: number): Promise<number> {
  const { rows } = await client.query<{ answers: string }>(
    `select queue_flush($1::jsonb, interval '60 s', interval '48 h') as answers`,
    [JSON.stringify([{ tenant: 'default', claim: [{ worker_id: workerId, limit }] }])],
  );
  const answers = JSON.parse(rows[0]?.answers ?? '[]');
  return answers[0].claim[0].length;
}

function scansOf(plan: Node): Node[] {
  return [...(plan['Relation Name'] === undefined ? [] : [plan]), ...(plan.Plans ?? []).flatMap(scansOf)];
}

/** Rows of one table that a plan has read, including those that it filtered out. */
function rowsRead(plans: readonly Node[], table: string): number {
  const scans = plans.flatMap(scansOf).filter((node) => node['Relation Name'] === table);
  const perLoop = scans.map(
    (node) =>
      ((node['Actual Rows'] ?? 0) +
        (node['Rows Removed by Filter'] ?? 0) +
        (node['Rows Removed by Index Recheck'] ?? 0)) *
      (node['Actual Loops'] ?? 1),
  );
  return perLoop.reduce((sum, rows) => sum + rows, 0);
}

/** Inserts tasks that this worker cannot serve, each with its first event, over several routes, in one statement. */
async function addForeign(count: number, routes: number): Promise<void> {
  const marker = randomUUID();
  await db.query(
    `insert into workspaces (tenant_id, codebase_id, name, path, created_by)
     select 'default', $1 || n, 'c', '/', 'me' from generate_series(1, $2::int) n`,
    [marker, routes],
  );
  await db.query(
    `insert into routes (tenant_id, route_id, codebase_id)
     select 'default', $1 || n, $1 || n from generate_series(1, $2::int) n`,
    [marker, routes],
  );
  await db.query(
    `insert into tasks (tenant_id, id, route_id, run_id, max_attempts, title, prompt, created_by, codebase_id, status)
     select 'default', gen_random_uuid(), $1 || (1 + n % $3::int), gen_random_uuid(), 3, 't', repeat('p', 200), 'me',
       $1 || (1 + n % $3::int), case when n % 3 = 0 then 'completed' else 'pending' end
     from generate_series(1, $2::int) n`,
    [marker, count, routes],
  );
  await db.query(
    `insert into task_events (tenant_id, task_id, seq, type, data, message)
     select tenant_id, id, 1, 'status', '{"status": "pending"}', '{"parts": [{"text": "hello"}]}'
     from tasks where starts_with(codebase_id, $1)`,
    [marker],
  );
}

describe('a claim', () => {
  it.each(['before', 'after'])(
    'reads the pending tasks that its worker may serve and no others, however deep the queue: %s the statistics are made',
    async (when) => {
      const { workerId, codebaseId } = await driver.worker();
      await addForeign(6_000, 1);
      await addForeign(1_000, 1_000);
      for (let i = 0; i < 12; i++) await driver.submit(codebaseId);
      if (when === 'after') await db.query('analyze');
      const plans: Node[] = [];
      const client = await openTelling(plans);
      try {
        // The first plans are made anew for each call, later ones are kept: both kinds are checked.
        for (let i = 0; i < 8; i++) expect(await claim(client, workerId, 1)).toBe(1);
      } finally {
        await client.end();
      }
      const scans = plans.flatMap(scansOf);
      expect(scans.some((node) => node['Index Name'] === 'tasks_pending')).toBe(true);
      const fullScans = scans.filter((node) => node['Node Type'] === 'Seq Scan');
      expect(
        fullScans.filter((node) => node['Relation Name'] === 'tasks' || node['Relation Name'] === 'routes'),
      ).toEqual([]);
      // Eight claims of one task each: its route's head, the lock, the update, and some to spare.
      expect(rowsRead(plans, 'tasks')).toBeLessThan(8 * 40);
      expect(rowsRead(plans, 'routes')).toBeLessThan(8 * 10);
    },
  );
});

describe('a claim of many tasks', () => {
  it('measures messages in the logs of its tasks only, on a commit connection whose plan was made when the log was empty', async () => {
    await db.query('truncate tasks, task_events cascade');
    const { workerId, codebaseId } = await driver.worker();
    const plans: Node[] = [];
    const client = await openTelling(plans);
    for (const [name, value] of Object.entries(commitSettings)) await client.query(`set ${name} = '${value}'`);
    const claims = async (): Promise<void> => {
      for (let i = 0; i < 24; i++) await driver.submit(codebaseId);
      for (let i = 0; i < 8; i++) expect(await claim(client, workerId, 3)).toBe(3);
    };
    try {
      await claims();
      await addForeign(3_000, 10);
      plans.length = 0;
      await claims();
    } finally {
      await client.end();
    }
    // Three tasks per claim: the first event of each is measured, and its key is checked by the insert.
    expect(rowsRead(plans, 'task_events')).toBeLessThan(8 * 3 * 5);
    expect(rowsRead(plans, 'later_messages')).toBe(0);
  });
});

describe('the activity of a page of tasks', () => {
  it.each([false, true])(
    'is read from the ends of their logs, however long these are; statistics are made: %s [ui-6.2.8]',
    async (isAnalyzed) => {
      const ids = Array.from({ length: 20 }, () => verbs.makeId());
      await db.query(
        `insert into task_events (tenant_id, task_id, seq, type, data)
         select 'default', id, n, case when n % 10 = 0 then 'progress' else 'output' end, '{"stream": "stdout", "text": "x"}'
         from unnest($1::uuid[]) as id, generate_series(2, 500) n`,
        [ids],
      );
      await db.query(
        `insert into tasks (tenant_id, id, route_id, run_id, max_attempts, title, prompt, created_by, status)
         select 'default', id, 'r', id, 3, 't', 'p', 'c', 'needs_input' from unnest($1::uuid[]) as id`,
        [ids],
      );
      await db.query(
        `insert into later_messages (tenant_id, task_id, n, message_id, role, parts)
         select 'default', id, n, 'm' || n, case when n % 2 = 0 then 'agent' else 'user' end, '[{"text": "x"}]'
         from unnest($1::uuid[]) as id, generate_series(1, 100) n`,
        [ids],
      );
      if (isAnalyzed) await db.query('analyze');
      const plans: Node[] = [];
      const client = await openTelling(plans);
      const scope = {
        tenantId: 'default',
        query: async <R extends pg.QueryResultRow>(name: string, text: string, values: readonly unknown[]) =>
          (await client.query<R>({ name, text, values: [...values] })).rows,
      };
      try {
        await client.query(`select set_config('app.current_tenant_id', 'default', false)`);
        const rows = taskRows(scope);
        for (let i = 0; i < 7; i++) {
          plans.length = 0;
          const ends = await rows.outputEnds(ids.map((taskId) => ({ taskId, outputSeq: 495 })));
          const questions = await rows.questions(ids);
          expect([ends.size, questions.size]).toEqual([20, 20]);
          expect(ends.get(ids[0] ?? '')?.text).toBe('xxxxxxx');
          expect(questions.get(ids[0] ?? '')?.questionId).toBe('m100');
          expect(rowsRead(plans, 'task_events')).toBe(20 * 8);
          expect(rowsRead(plans, 'later_messages')).toBe(20);
        }
      } finally {
        await client.end();
      }
    },
  );
});

describe('the outcome of a delivery', () => {
  it.each(['before', 'after'])(
    'is recorded by reading the deliveries of its own task, however many its tenant has: %s the statistics are made',
    async (when) => {
      await db.query(
        `insert into deliveries (tenant_id, delivery_id, task_id, kind, seq, url, host, body, status)
         select 'default', make_uuid7(), make_uuid7(), 'webhook', 2, 'http://h/', 'h', '{}',
           case when n % 3 = 0 then 'pending' else 'delivered' end
         from generate_series(1, 3000) n`,
      );
      if (when === 'after') await db.query('analyze');
      const rows = await db.query<{ task_id: string; delivery_id: string }>(
        `update deliveries set epoch = 1, tries = 1, attempts = '[{}]' where ctid in (
           select ctid from deliveries where status = 'pending' limit 8) returning task_id, delivery_id`,
      );
      const plans: Node[] = [];
      const client = await openTelling(plans);
      try {
        for (const { task_id, delivery_id } of rows) {
          const outcome = { task_id, delivery_id, epoch: 1, delivered: true, status_code: 204, error: null };
          const request = [
            { tenant: 'default', settle: { max_tries: 3, outcomes: [{ ...outcome, wait_seconds: 1 }] } },
          ];
          const answer = await client.query<{ answers: string }>(
            `select queue_flush($1::jsonb, interval '60 s', interval '48 h') as answers`,
            [JSON.stringify(request)],
          );
          expect(JSON.parse(answer.rows[0]?.answers ?? '[]')).toEqual([
            { settle: [{ delivery_id, status: 'delivered' }] },
          ]);
        }
      } finally {
        await client.end();
      }
      // Each as it is read and as it is written.
      expect(rowsRead(plans, 'deliveries')).toBe(16);
    },
  );
});

describe('a limit', () => {
  it('is a constant in the plan of a statement that names it, and the one of the code', async () => {
    const limits = {
      max_message_bytes: `'${taskLimits.messageBytes}'::bigint`,
      max_releases: `${taskLimits.releases}`,
      release_hold: `'00:00:${taskLimits.holdSeconds}'::interval`,
      late_artifact_time: `'00:00:${taskLimits.lateArtifactSeconds}'::interval`,
      first_release_number: `'${taskLimits.firstReleaseNumber}'::bigint`,
    };
    for (const [name, constant] of Object.entries(limits)) {
      const plan = await db.query<{ 'QUERY PLAN': string }>(`explain (verbose, costs off) select ${name}()`);
      expect(plan.map((line) => line['QUERY PLAN'].trim())).toEqual(['Result', `Output: ${constant}`]);
    }
  });
});

describe('the sweep’s query for workers with waiting tasks', () => {
  it('returns exactly the workers that could claim a task', async () => {
    const { workerId, codebaseId } = await driver.worker();
    const idle = await driver.worker();
    await addForeign(500, 100);
    const { task, held } = await driver.heldTask();
    await driver.release(held, { status: 'pending' });
    await driver.submit(codebaseId);
    const workerIds = [idle.workerId, workerId, held.task.workerId ?? ''];
    const awaited = (): Promise<string[]> =>
      verbs.store.within({ tenantId: 'default' }, (rows) => rows.tasks.findAwaitedWorkers(workerIds));
    // A worker that gave a task back is left out until its hold expires.
    expect(await awaited()).toEqual([workerId]);
    await driver.endHolds(task.id);
    expect(new Set(await awaited())).toEqual(new Set([workerId, held.task.workerId]));
  });
});
