// The rows that usage reads of a deep past, counted by the database itself, in the transaction that reads them.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../support/database/database.ts';
import { until } from '../../../support/until.ts';
import { openVerbs, type Verbs } from '../../../support/verbs.ts';

let db: TestDatabase;
let verbs: Verbs;
const past = 20_000;

beforeAll(async () => {
  db = await cloneDatabase();
  // Ended tasks of long ago, with an event each, and samples; folded. Then one task that ended just now.
  await db.query(
    `insert into tasks (tenant_id, id, status, route_id, run_id, max_attempts, title, prompt, created_by, completed_at, started_at)
     select 'default', gen_random_uuid(), 'completed', 'r', gen_random_uuid(), 3, 't', 'p', 'me', now() - interval '9 days',
       now() - interval '9 days' from generate_series(1, ${past})`,
  );
  await db.query(
    `insert into task_events (tenant_id, task_id, seq, type, data)
     select tenant_id, id, 1, 'status', '{"status": "completed", "final": true}' from tasks where tenant_id = 'default'`,
  );
  await until('the past is folded', async () => {
    const [row] = await db.query<{ n: number }>(`select fold_usage('default', ${past * 2}) as n`);
    return row?.n === past;
  });
  const id = randomUUID();
  await db.query(
    `insert into tasks (tenant_id, id, status, route_id, run_id, max_attempts, title, prompt, created_by, completed_at)
     values ('default', $1, 'completed', 'r', $1, 3, 't', 'p', 'me', now())`,
    [id],
  );
  await db.query(
    `insert into task_events (tenant_id, task_id, seq, type, data) values ('default', $1, 1, 'status', '{"final": true}')`,
    [id],
  );
  await db.query('analyze');
  verbs = await openVerbs(db);
});
afterAll(async () => {
  await verbs[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

/** Rows of tasks and of their log that the work reads. */
async function rowsRead(statement: string): Promise<number> {
  const client = new pg.Client({ ...db.service, options: '-c role=a2a_app' });
  await client.connect();
  try {
    await client.query(`begin; select set_config('app.current_tenant_id', 'default', true)`);
    await client.query(statement);
    const { rows } = await client.query<{ n: string }>(
      `select coalesce(sum(seq_tup_read + idx_tup_fetch), 0) as n from pg_stat_xact_user_tables
       where relname in ('tasks', 'task_events')`,
    );
    await client.query('rollback');
    return Number(rows[0]?.n);
  } finally {
    await client.end();
  }
}

it('a fold and a read look at what is not folded yet, and not at the past [ui-6.8.2, ui-6.8.7]', async () => {
  for (const statement of [
    `select unfolded_ends('default', 10000)`,
    `select fold_usage('default', 2000)`,
    `select * from ended_usage('default', unfolded_ends('default', 10000))`,
    `select * from ended_slots('default', unfolded_ends('default', 10000))`,
  ]) {
    expect(await rowsRead(statement), statement).toBeLessThan(20);
  }
});

it('usage of all groups answers with the past and the present [ui-6.8.2]', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const groups = await verbs.store.within({ tenantId: 'default' }, (rows) =>
    rows.usage.groups('created_by', { first: '2000-01-01', last: today }, 10),
  );
  expect(groups).toMatchObject([{ key: 'me', tasks: past + 1 }]);
});
