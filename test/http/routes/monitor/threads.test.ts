// The list of conversations: what it shows, its order and pages, and how much a page reads.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '../../../../src/adapters/postgres/store/rows/scope.ts';
import { threadRows } from '../../../../src/adapters/postgres/store/rows/tasks/thread-rows.ts';
import type { LogPosition } from '../../../../src/domain/model/task/log-position.ts';
import type { ThreadRows } from '../../../../src/domain/ports/store/monitor/threads.ts';
import { openService, type ManualWorker, type TestService } from '../../../support/service.ts';

let service: TestService;
let worker: ManualWorker;
beforeAll(async () => {
  service = await openService({ config: { leaseSeconds: 600 } });
  worker = await service.worker({ name: 'poet', agents: ['scribe'], slots: 50 });
});
afterAll(() => service[Symbol.asyncDispose]());

interface Page {
  readonly threads: { readonly id: string; readonly last_message: { readonly text: string } }[];
  readonly next_cursor: string | null;
}

const page = async (query = ''): Promise<Page> =>
  (await service.call('GET', `/v1/monitor/threads${query}`, { as: 'viewer' })).body;

async function allIds(limit: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { threads, next_cursor: next } = await page(`?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    ids.push(...threads.map(({ id }) => id));
    cursor = next;
  }
  return ids;
}

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

function rowsOf(node: PlanNode): number {
  const read = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const below = (node.Plans ?? []).reduce((sum, each) => sum + rowsOf(each), 0);
  return (node['Relation Name'] === undefined ? 0 : read) + below;
}

/** Rows of tables that the statements of a call read, from the plans that the database really uses. */
async function rowsRead(call: (rows: ThreadRows) => Promise<unknown>): Promise<number> {
  const client = new pg.Client(service.db.superuser);
  await client.connect();
  let read = 0;
  try {
    await client.query(`set role a2a_app; set app.current_tenant_id = 'default'`);
    const query: Scope['query'] = async (_, text, values) => {
      const { rows } = await client.query(`explain (analyze, format json) ${text}`, [...values]);
      read += rowsOf(rows[0]['QUERY PLAN'][0].Plan);
      return [];
    };
    await call(threadRows({ tenantId: 'default', query }));
  } finally {
    await client.end();
  }
  return read;
}

async function placeOf(taskId: string, seq: number): Promise<LogPosition> {
  const [row] = await service.db.query('select xid::text as xid from task_events where task_id = $1 and seq = $2', [
    taskId,
    seq,
  ]);
  return { atMs: Date.now(), xid: BigInt(String(row?.['xid'])), taskId, seq };
}

describe('GET /v1/monitor/threads', () => {
  it('lists conversations by their newest word [ui-6.18.1]', async () => {
    const { id } = await service.task({
      title: 'A sonnet',
      prompt: 'write',
      conversation_id: 'poems',
      target_agent: 'scribe',
    });
    await service.task({ title: 'Sums', prompt: 'add', conversation_id: 'sums' }, 'editor2');
    const [held] = await worker.claim(1, id);
    if (held === undefined) throw new Error('not claimed');
    await worker.release(held, { status: 'completed', result: 'Shall I compare thee' });
    await service.task({ title: 'Another', prompt: 'and one more', conversation_id: 'poems' });
    const alone = await service.task({ title: 'Alone', prompt: 'by itself' });
    expect((await page()).threads).toEqual([
      {
        id: alone.id,
        title: 'Alone',
        participants: ['token:editor'],
        last_message: { text: 'by itself', at: expect.any(String) },
        open_tasks: 1,
      },
      {
        id: 'poems',
        title: 'A sonnet',
        participants: ['poet', 'scribe', 'token:editor'],
        last_message: { text: 'and one more', at: expect.any(String) },
        open_tasks: 1,
      },
      {
        id: 'sums',
        title: 'Sums',
        participants: ['token:editor2'],
        last_message: { text: 'add', at: expect.any(String) },
        open_tasks: 1,
      },
    ]);
    const { body } = await service.call('GET', '/v1/monitor/threads', { as: 'other' });
    expect(body.threads).toEqual([]);
  });

  it('is paged by cursor, each conversation once, though its words stand on many pages [ui-6.18.2]', async () => {
    for (let n = 0; n < 12; n += 1) await service.task({ prompt: `${n}`, conversation_id: `c${n % 4}` });
    const whole = (await page()).threads.map(({ id }) => id);
    expect(whole.slice(0, 4)).toEqual(['c3', 'c2', 'c1', 'c0']);
    for (const limit of [1, 2, 3]) expect(await allIds(limit)).toEqual(whole);
    for (const cursor of ['x', 'bm9uc2Vuc2U']) {
      expect((await service.call('GET', `/v1/monitor/threads?cursor=${cursor}`)).status).toBe(400);
    }
  });

  it('reads a bounded number of rows beside a long conversation and many tasks [ui-6.18.3]', async () => {
    const { id } = await service.task({ title: 'Long', conversation_id: 'long' });
    await service.db.query(
      `insert into task_events (tenant_id, task_id, seq, type, data)
       select 'default', $1, n, 'message', '{"role": "agent", "parts": [{"text": "word"}]}' from generate_series(2, 10001) n`,
      [id],
    );
    await service.db.query('update tasks set last_seq = 10001 where id = $1', [id]);
    await service.db.query(
      `with made as (
         insert into tasks (tenant_id, id, status, route_id, run_id, max_attempts, title, prompt, created_by, conversation_id,
           completed_at)
         select 'default', gen_random_uuid(), 'completed', t.route_id, gen_random_uuid(), 3, 'old', 'p', 'x', 'old ' || (n % 500),
           now() from tasks t, generate_series(1, 20000) n where t.id = $1 returning tenant_id, id)
       insert into task_events (tenant_id, task_id, seq, type, data, xid)
       select tenant_id, id, 1, 'status', '{"status": "pending"}', '3'::xid8 from made`,
      [id],
    );
    await service.db.query('analyze tasks, task_events');
    const ids = await allIds(200);
    expect(ids.filter((each) => each === 'long')).toEqual(['long']);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(500);
    const { threads } = await page('?limit=5');
    expect(threads[0]).toMatchObject({ id: 'long', title: 'Long', last_message: { text: 'word' } });
    // 400 words, their tasks, and for a conversation behind a cursor the ends of its tasks.
    for (const before of [undefined, await placeOf(id, 5_000)]) {
      const rows = await rowsRead((threads_) => threads_.lastWords({ limit: 50, before, scanLimit: 400 }));
      expect(rows).toBeLessThan(2_500);
    }
    expect(await rowsRead((threads_) => threads_.describe(['long', 'old 7'], 20))).toBeLessThan(200);
  });
});
