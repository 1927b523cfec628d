// Lists, counts and routes of tasks: filters, orders, cursors. ui-6.1.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TaskWire } from '../../../../src/contracts/task.ts';
import { until } from '../../../support/until.ts';
import { openService, type ManualWorker, type TestService } from '../../../support/service.ts';

let service: TestService;
let worker: ManualWorker;
let codebaseId: string;
beforeAll(async () => {
  service = await openService();
  worker = await service.worker({ name: 'holder', slots: 50, codebases: [{ name: 'repo', path: '/repo' }] });
  codebaseId = worker.registered.codebases[0]?.codebase_id ?? '';
});
afterAll(() => service[Symbol.asyncDispose]());

async function listed(query: string): Promise<string[]> {
  const reply = await service.call('GET', `/v1/agent/tasks?${query}`);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body.tasks.map(({ id }: TaskWire) => id);
}

async function failed(fields: Record<string, unknown> = {}, code = 'agent_failed'): Promise<TaskWire> {
  const task = await service.task({ codebase_id: codebaseId, ...fields });
  const [held] = await worker.claim(1, task.id);
  if (held === undefined) throw new Error('not claimed');
  await worker.release(held, { status: 'failed', error: { code, message: 'm' } });
  return task;
}

/** A conversation's tasks: each test lists its own. */
let conversations = 0;
function newConversation(): string {
  return `conversation-${(conversations += 1)}`;
}

describe('the filters of the list of tasks', () => {
  it('takes several statuses and ids, repeated or as a comma list [ui-6.1.1]', async () => {
    const conversation_id = newConversation();
    const pending = await service.task({ conversation_id });
    const lost = await failed({ conversation_id });
    const cancelled = await service.task({ conversation_id });
    await service.call('POST', `/v1/agent/tasks/${cancelled.id}/cancel`, { body: {} });
    const of = (query: string) => listed(`conversation_id=${conversation_id}&${query}`);
    expect(await of('status=pending,failed')).toEqual([lost.id, pending.id]);
    expect(await of('status=failed&status=cancelled')).toEqual([cancelled.id, lost.id]);
    expect(await of('status=failed')).toEqual([lost.id]);
    expect(await listed(`ids=${pending.id},${lost.id}`)).toEqual([lost.id, pending.id]);
    expect(await listed(`ids=${pending.id}&ids=${cancelled.id}`)).toEqual([cancelled.id, pending.id]);
  });

  it.each([
    ['status=pending,done', '/query/status'],
    ['status=', '/query/status'],
    ['ids=1', '/query/ids'],
    ['sort=title', '/query/sort'],
    ['attempt_min=x', '/query/attempt_min'],
    ['silent_since=yesterday', '/query/silent_since'],
    ['owner=me', '/query/owner'],
  ])('%s is 400 with its path [ui-6.1.1]', async (query, path) => {
    for (const list of ['/v1/agent/tasks', '/v1/monitor/counts']) {
      if (list === '/v1/monitor/counts' && query.startsWith('sort')) continue;
      const reply = await service.call('GET', `${list}?${query}`);
      expect(reply.status).toBe(400);
      expect(reply.body.errors).toContainEqual(expect.objectContaining({ path }));
    }
  });

  it('finds tasks by creator, target, error, retry, attempts and deadline [ui-6.1.2]', async () => {
    const conversation_id = newConversation();
    const of = (query: string) => listed(`conversation_id=${conversation_id}&${query}`);
    const mine = await service.task({ conversation_id, target_agent: 'holder', deadline_at: '2098-01-01T00:00:00Z' });
    const other = await service.task({ conversation_id, deadline_at: '2099-01-01T00:00:00Z' }, 'editor2');
    const refused = await failed({ conversation_id }, 'a_code_of_its_own');
    const retried = await service.call('POST', `/v1/agent/tasks/${refused.id}/retry`, { body: {} });
    expect(await of('created_by=token:editor2')).toEqual([other.id]);
    expect(await of('target_agent=holder')).toEqual([mine.id]);
    expect(await of('error_code=a_code_of_its_own')).toEqual([refused.id]);
    expect(await of('error_code=a_code_of_its_own&status=pending')).toEqual([]);
    expect(await listed(`retry_of=${refused.id}`)).toEqual([retried.body.task.id]);
    expect(await of('attempt_min=1')).toEqual([refused.id]);
    expect(await of('deadline_before=2098-06-01T00:00:00Z')).toEqual([mine.id]);
    expect(await of('worker_id=' + worker.id)).toEqual([refused.id]);
  });

  it('finds follow-ups, silent and paused tasks; silence and pauses are of running ones alone [ui-6.1.3]', async () => {
    const conversation_id = newConversation();
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push((await service.task({ codebase_id: codebaseId, conversation_id })).id);
    const [silent = '', paused = '', waiting = ''] = ids;
    const [, held] = [...(await worker.claim(1, silent)), ...(await worker.claim(1, paused))];
    if (held === undefined) throw new Error('not claimed');
    await service.call('POST', '/v1/monitor/intervene', { as: 'operator', body: { task_id: paused, action: 'pause' } });
    const intervention = await until('the pause', async () => (await worker.heartbeat([held])).body.interventions[0]);
    const { id, action } = intervention;
    await worker.report(held, [{ type: 'intervention', n: 1, id, action, status: 'delivered' }]);
    await service.db.query(
      `update tasks set last_event_at = '2026-01-01T00:00:00Z', follows = $3 where id in ($1, $2)`,
      [silent, waiting, paused],
    );
    const of = (query: string) => listed(`conversation_id=${conversation_id}&${query}`);
    expect(await of('silent_since=2026-01-01T00:00:01Z')).toEqual([silent]);
    expect(await of('silent_since=2026-01-01T00:00:00Z')).toEqual([]);
    expect(await of('silent_since=2026-01-01T00:00:01Z&status=pending')).toEqual([]);
    expect(await of('paused=true')).toEqual([paused]);
    expect(await of('paused=false')).toEqual([waiting, silent]);
    expect(await listed(`follows=${paused}`)).toEqual([waiting, silent]);
    const counts = await service.call('GET', `/v1/monitor/counts?conversation_id=${conversation_id}&paused=true`);
    expect(counts.body.counts).toMatchObject({ running: 1, pending: 0 });
  });

  it('finds tasks between two times, which belong to neither side [ui-6.1.2]', async () => {
    const conversation_id = newConversation();
    const tasks = [];
    for (let n = 1; n <= 3; n++) {
      const task = await service.task({ conversation_id });
      await service.db.query(`update tasks set created_at = $2 where id = $1`, [
        task.id,
        `${new Date().getUTCFullYear()}-01-01T00:00:0${n}.500Z`,
      ]);
      tasks.push(task.id);
    }
    const year = new Date().getUTCFullYear();
    const between = await listed(`conversation_id=${conversation_id}&created_after=${year}-01-01T00:00:01.500Z`);
    expect(between).toEqual([tasks[2], tasks[1]]);
    const now = new Date(Date.now() + 60_000).toISOString();
    expect(await listed(`conversation_id=${conversation_id}&created_before=${now}`)).toHaveLength(3);
    expect(await listed(`conversation_id=${conversation_id}&created_after=${now}`)).toEqual([]);
  });

  it('finds ended tasks by the time of their end: from the first on, before the second [ui-6.1.8]', async () => {
    const conversation_id = newConversation();
    await service.task({ conversation_id });
    const ended = [];
    for (let n = 1; n <= 3; n++) {
      const task = await failed({ conversation_id });
      const at = `2020-01-01T00:00:0${n}.500Z`;
      await service.db.query(`update tasks set completed_at = $2 where id = $1`, [task.id, at]);
      ended.push(task.id);
    }
    const of = (query: string) => listed(`conversation_id=${conversation_id}&${query}`);
    expect(await of('ended_after=2020-01-01T00:00:01.500Z&ended_before=2030-01-01T00:00:00Z')).toEqual(
      ended.toReversed(),
    );
    expect(await of('ended_after=2020-01-01T00:00:02.500Z')).toEqual([ended[2], ended[1]]);
    expect(await of('ended_after=2030-01-01T00:00:00Z')).toEqual([]);
  });
});

/** All pages of a list. */
async function allPages(query: string): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const reply = await service.call('GET', `/v1/agent/tasks?${query}${cursor === null ? '' : `&cursor=${cursor}`}`);
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    found.push(...reply.body.tasks.map(({ id }: TaskWire) => id));
    cursor = reply.body.next_cursor;
  } while (cursor !== null);
  return found;
}

describe('the orders of the list of tasks', () => {
  it('is by creation, update or priority, descending, over all pages [ui-6.1.4]', async () => {
    const conversation_id = newConversation();
    const ids: string[] = [];
    for (const priority of [0, 7, 0, 7, 99, 0]) ids.push((await service.task({ conversation_id, priority })).id);
    const [a = '', b = '', c = '', d = '', e = '', f = ''] = ids;
    await service.call('POST', `/v1/agent/tasks/${b}/cancel`, { body: {} });
    await service.call('POST', `/v1/agent/tasks/${a}/cancel`, { body: {} });
    for (const limit of [1, 2, 3, 50]) {
      const of = (sort: string) => allPages(`conversation_id=${conversation_id}&limit=${limit}&sort=${sort}`);
      expect(await of('created')).toEqual([f, e, d, c, b, a]);
      expect(await of('priority')).toEqual([e, d, b, f, c, a]);
      expect(await of('updated')).toEqual([a, b, f, e, d, c]);
    }
    const cancelled = `conversation_id=${conversation_id}&limit=1&status=cancelled,failed&sort=`;
    expect(await allPages(`${cancelled}priority`)).toEqual([b, a]);
    expect(await allPages(`${cancelled}updated`)).toEqual([a, b]);
  });

  it('refuses the cursor of another order [ui-6.1.4]', async () => {
    const conversation_id = newConversation();
    for (let n = 0; n < 2; n++) await service.task({ conversation_id });
    const path = `/v1/agent/tasks?conversation_id=${conversation_id}&limit=1&sort=`;
    const { next_cursor } = (await service.call('GET', `${path}updated`)).body;
    for (const sort of ['created', 'priority']) {
      const reply = await service.call('GET', `${path}${sort}&cursor=${next_cursor}`);
      expect(reply.status).toBe(400);
      expect(reply.body.errors).toMatchObject([{ path: '/query/cursor' }]);
    }
  });
});

describe('counts of tasks', () => {
  it('has every status, under the filters of the list [ui-6.1.5]', async () => {
    const conversation_id = newConversation();
    await service.task({ conversation_id });
    await service.task({ conversation_id });
    await failed({ conversation_id });
    const none = { pending: 0, running: 0, needs_input: 0, completed: 0, failed: 0, cancelled: 0 };
    const of = async (query: string) =>
      (await service.call('GET', `/v1/monitor/counts?conversation_id=${conversation_id}${query}`)).body;
    expect(await of('')).toEqual({ counts: { ...none, pending: 2, failed: 1 }, capped: false });
    expect(await of('&status=failed,completed')).toEqual({ counts: { ...none, failed: 1 }, capped: false });
    expect(await of('&error_code=agent_failed')).toEqual({ counts: { ...none, failed: 1 }, capped: false });
    const other = await service.call('GET', '/v1/monitor/counts', { as: 'other' });
    expect(other.body).toEqual({ counts: none, capped: false });
  });
});

describe('the routes of waiting tasks', () => {
  it('has each route once, with count, oldest, reason and remedy [ui-6.1.6]', async () => {
    const oldest = await service.task({ codebase_id: codebaseId, required_capabilities: ['gpu'] });
    await service.task({ codebase_id: codebaseId, required_capabilities: ['gpu'] });
    await service.task({ codebase_id: codebaseId, target_agent: "it's $(id)", agent_type: 'codex' });
    await service.call('POST', '/v1/agent/tasks', { body: { title: 't', prompt: 'without a codebase' } });
    const { routes, capped } = (await service.call('GET', '/v1/monitor/waiting')).body;
    expect(capped).toBe(false);
    const route = (part: object) => expect.objectContaining(part);
    expect(routes).toContainEqual({
      codebase_id: codebaseId,
      agent_type: null,
      target: null,
      required_capabilities: ['gpu'],
      count: 2,
      oldest_at: oldest.created_at,
      waiting_reason: 'no_worker_with_capability',
      remedy: 'Start a worker with these capabilities: `switchyard worker --codebase FOLDER --capabilities gpu`.',
    });
    expect(routes).toContainEqual(
      route({
        agent_type: 'codex',
        target: "it's $(id)",
        count: 1,
        waiting_reason: 'no_such_agent',
        remedy:
          "Start a worker with this name or agent: `switchyard worker --codebase FOLDER --worker-name 'it'\\''s $(id)'`.",
      }),
    );
    expect(routes).toContainEqual(route({ codebase_id: null, waiting_reason: 'no_codebase' }));
    expect((await service.call('GET', '/v1/monitor/waiting', { as: 'other' })).body.routes).toEqual([]);
  });

  it('says held_back where every task of the route is held back from its one worker [ui-6.1.6]', async () => {
    const alone = await service.worker({ name: 'alone', codebases: [{ name: 'held', path: '/held' }] });
    const held = alone.registered.codebases[0]?.codebase_id ?? '';
    await service.task({ codebase_id: held });
    const [assignment] = await alone.claim();
    if (assignment === undefined) throw new Error('not claimed');
    await alone.release(assignment, { status: 'pending' });
    const { routes } = (await service.call('GET', '/v1/monitor/waiting')).body;
    expect(routes.filter((route: { codebase_id: string }) => route.codebase_id === held)).toMatchObject([
      { count: 1, waiting_reason: 'held_back' },
    ]);
  });
});
