// Lists and counts beside very many tasks: what they find, and how many rows the database reads for it. ui-6.1.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTaskPage } from '../../../../src/adapters/postgres/store/rows/tasks/lists/task-pages.ts';
import { countEachStatus } from '../../../../src/adapters/postgres/store/rows/tasks/lists/task-counts.ts';
import { routeRows } from '../../../../src/adapters/postgres/store/rows/tasks/route-rows.ts';
import type { Scope } from '../../../../src/adapters/postgres/store/rows/scope.ts';
import {
  type TaskFilter,
  type TaskPlace,
  type TaskSort,
  taskSorts,
} from '../../../../src/domain/ports/tasks/task-lists.ts';
import { cloneDatabase, type TestDatabase } from '../../../support/database/database.ts';

/** Tasks of the tenant: three times what a page examines, and more than a count does. */
const total = 60_000;

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Plan[];
}

let db: TestDatabase;
let client: pg.Client;
let plans: Plan[] = [];
let scope: Scope;
beforeAll(async () => {
  db = await cloneDatabase();
  await db.query(`insert into tenants (tenant_id, name) values ('default', 'default') on conflict do nothing`);
  await db.query(`insert into routes (tenant_id, route_id) select 'default', 'r' || n from generate_series(1, 300) n`);
  // Ids and times rise with n, a second apart; the first task is the rare one.
  await db.query(
    `insert into tasks (tenant_id, id, route_id, run_id, max_attempts, title, prompt, created_by, status, priority,
       created_at, updated_at, completed_at, retry_of)
     select 'default', id, 'r' || (1 + n % 300), make_uuid7(), 3, 't', 'p', case n when 1 then 'rare' else 'me' end, status,
       case when n % 500 = 0 then 9 else 0 end, at, at, case when status <> 'pending' then at end,
       case n when 77 then id end
     from (
       select n, timestamptz 'epoch' + (1700000000::bigint + n) * interval '1 second' as at,
         (lpad(to_hex((1700000000::bigint + n) * 1000 >> 16), 8, '0') || '-'
           || lpad(to_hex((1700000000::bigint + n) * 1000 & 65535), 4, '0') || '-7000-8000-000000000001')::uuid as id,
         case when n % 1000 = 0 then 'failed' when n % 3 = 0 then 'pending' else 'completed' end as status
       from generate_series(1, ${total}) n) t`,
  );
  await db.query('analyze tasks');
  client = new pg.Client(db.superuser);
  await client.connect();
  await client.query('set role a2a_app');
  await client.query(`select set_config('app.current_tenant_id', 'default', false)`);
  scope = {
    tenantId: 'default',
    async query<R extends pg.QueryResultRow>(_name: string, text: string, values: readonly unknown[]) {
      const explained = await client.query(`explain (analyze, timing off, format json) ${text}`, [...values]);
      plans.push(explained.rows[0]['QUERY PLAN'][0].Plan);
      return (await client.query<R>(text, [...values])).rows;
    },
  };
});
afterAll(async () => {
  await client.end();
  await db[Symbol.asyncDispose]();
});

/** Rows of tasks that these statements read, including those that they filtered out. */
function rowsRead(): number {
  const of = (plan: Plan): number => {
    const own =
      plan['Relation Name'] === 'tasks'
        ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)) *
          plan['Actual Loops']
        : 0;
    return own + (plan.Plans ?? []).reduce((sum, each) => sum + of(each), 0);
  };
  return plans.reduce((sum, plan) => sum + of(plan), 0);
}

async function page(filter: TaskFilter, sort: TaskSort = 'created', after?: TaskPlace) {
  plans = [];
  return readTaskPage(scope, filter, sort, { limit: 50, after });
}

describe('a page beside very many tasks', () => {
  it.each<[string, TaskFilter, TaskSort]>([
    ['no filter', {}, 'created'],
    ['no filter', {}, 'updated'],
    ['no filter', {}, 'priority'],
    ['pending', { statuses: ['pending'] }, 'created'],
    ['completed or failed', { statuses: ['completed', 'failed'] }, 'updated'],
    ['failed', { statuses: ['failed'] }, 'created'],
    ['failed', { statuses: ['failed'] }, 'updated'],
    ['an error code', { errorCode: 'none' }, 'created'],
    ['running', { statuses: ['running'] }, 'updated'],
    ['silent', { silentSince: '2026-01-01T00:00:00Z' }, 'created'],
    ['paused', { paused: true }, 'updated'],
    ['a retry', { retryOf: '00000000-0000-7000-8000-000000000000' }, 'created'],
    ['a follow-up', { follows: '00000000-0000-7000-8000-000000000000' }, 'created'],
    ['a week long ago', { createdBefore: '2023-11-14T22:20:00Z', createdAfter: '2023-11-14T22:10:00Z' }, 'created'],
  ])('%s, %j, by %s: reads few rows [ui-6.1.7]', async (_name, filter, sort) => {
    await page(filter, sort);
    // A walk of the failed tasks by time reads all 60 and sorts them; the bounds of ids have an hour to spare.
    expect(rowsRead()).toBeLessThan(4_500);
  });

  it.each(taskSorts.map((sort) => [sort]))(
    'a rare creator by %s: is found in steps, each of a bounded number of tasks [ui-6.1.7]',
    async (sort) => {
      const found: string[] = [];
      let after: TaskPlace | undefined;
      let pages = 0;
      do {
        const { tasks, next } = await page({ createdBy: 'rare', statuses: ['completed', 'pending'] }, sort, after);
        pages += 1;
        expect(rowsRead()).toBeLessThan(100_000);
        found.push(...tasks.map(({ createdBy }) => createdBy));
        after = next ?? undefined;
      } while (after !== undefined);
      expect(found).toEqual(['rare']);
      expect(pages).toBeGreaterThan(sort === 'updated' ? 1 : 2);
      expect(pages).toBeLessThan(7);
    },
  );

  it.each(taskSorts.map((sort) => [sort]))('all pages by %s have each task once [ui-6.1.4]', async (sort) => {
    const filter: TaskFilter = { createdAfter: '2023-11-15T11:00:00Z', statuses: ['failed', 'pending'] };
    const seen: string[] = [];
    let after: TaskPlace | undefined;
    do {
      const { tasks, next } = await readTaskPage(scope, filter, sort, { limit: 900, after });
      seen.push(...tasks.map(({ id }) => id));
      after = next ?? undefined;
    } while (after !== undefined);
    const rows = await db.query<{ id: string }>(
      `select id from tasks where status in ('failed', 'pending') and created_at > '2023-11-15T11:00:00Z'
       order by ${sort === 'priority' ? 'priority desc, ' : ''} id desc`,
    );
    expect(seen).toEqual(rows.map(({ id }) => id));
  });
});

describe('counts beside very many tasks', () => {
  it('stops at its limit and says so [ui-6.1.5, ui-6.1.7]', async () => {
    plans = [];
    const { counts, capped } = await countEachStatus(scope, {}, 10_000);
    expect(counts).toMatchObject({ pending: 10_000, completed: 10_000, failed: 60, running: 0 });
    expect(capped).toBe(true);
    expect(rowsRead()).toBeLessThan(60_000);
  });

  it('examines a bounded number of tasks for a rare creator [ui-6.1.7]', async () => {
    plans = [];
    const { counts, capped } = await countEachStatus(scope, { createdBy: 'rare', statuses: ['completed'] }, 10_000);
    expect({ counts: counts.completed, capped }).toEqual({ counts: 0, capped: true });
    expect(rowsRead()).toBeLessThan(2 * 50_100);
  });

  it('is exact where few tasks match, by an index [ui-6.1.5]', async () => {
    plans = [];
    const { counts, capped } = await countEachStatus(scope, { statuses: ['failed', 'needs_input'] }, 10_000);
    expect({ failed: counts.failed, capped }).toEqual({ failed: 60, capped: false });
    expect(rowsRead()).toBeLessThan(500);
  });
});

describe('the routes of very many waiting tasks', () => {
  it('are stepped through, and say that some are left out [ui-6.1.6, ui-6.1.7]', async () => {
    plans = [];
    const limits = { routes: 50, tasksOfRoute: 40, tasks: 10_000 };
    const { routes, capped } = await routeRows(scope).listWaiting(limits);
    expect(capped).toBe(true);
    expect(routes).toHaveLength(50);
    expect(routes.every(({ count }) => count === 40)).toBe(true);
    expect(rowsRead()).toBeLessThan(50 * 40 + 2 * 60);
  });

  it('counts the tasks ahead by two ranges of the claim’s index [ui-6.7.1]', async () => {
    plans = [];
    const [head] = await db.query<{ id: string; n: string }>(
      `select min(id::text) as id, count(*) as n from tasks where status = 'pending' and route_id = 'r1' and priority = 0`,
    );
    const ahead = await routeRows(scope).countAhead(['r1'], { priority: 0, taskId: head?.id ?? '' }, 10_000);
    const above = await db.query(`select from tasks where status = 'pending' and route_id = 'r1' and priority > 0`);
    expect(ahead).toBe(above.length);
    expect(rowsRead()).toBeLessThan(above.length + 10);
  });
});
