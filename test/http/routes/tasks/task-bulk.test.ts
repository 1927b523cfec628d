// Changes of many tasks, and of a pending one. ui-6.10.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BulkAnswerWire, TaskWire } from '../../../../src/contracts/task.ts';
import { openService, type ManualWorker, type TestService, type TestUser } from '../../../support/service.ts';
import { command } from '../../../support/process/cli-io.ts';

let service: TestService;
let worker: ManualWorker;
beforeAll(async () => {
  service = await openService();
  worker = await service.worker({ name: 'holder', slots: 50 });
});
afterAll(() => service[Symbol.asyncDispose]());

const unknownId = '019a0000-0000-7000-8000-000000000000';
let conversations = 0;

async function tasks(count: number, as: TestUser = 'editor'): Promise<{ conversation_id: string; ids: string[] }> {
  const conversation_id = `bulk-${(conversations += 1)}`;
  const ids = [];
  for (let n = 0; n < count; n++)
    ids.push((await service.task({ conversation_id, required_capabilities: ['x'] }, as)).id);
  return { conversation_id, ids };
}

async function bulk(body: Record<string, unknown>, as: TestUser = 'editor'): Promise<BulkAnswerWire> {
  const reply = await service.call('POST', '/v1/agent/tasks/bulk', { as, body });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body;
}

async function read(taskId: string): Promise<TaskWire> {
  return (await service.call('GET', `/v1/agent/tasks/${taskId}`)).body.task;
}

describe('bulk', () => {
  it('has an entry for each id, and one refusal does not stop the others [ui-6.10.1, ui-6.10.3]', async () => {
    const { ids } = await tasks(2);
    const foreign = (await tasks(1, 'editor2')).ids[0] ?? '';
    const [first = '', second = ''] = ids;
    await service.call('POST', `/v1/agent/tasks/${first}/cancel`, { body: {} });
    const expected = {
      matched: 4,
      results: [
        { id: first, ok: false, code: 'task_finished' },
        { id: foreign, ok: false, code: 'not_owner' },
        { id: unknownId, ok: false, code: 'task_not_found' },
        { id: second, ok: true },
      ],
      next_cursor: null,
    };
    const body = { action: 'cancel', ids: [first, foreign, unknownId, second, second] };
    expect(await bulk({ ...body, dry_run: true })).toEqual(expected);
    expect((await read(second)).status).toBe('pending');
    expect(await bulk(body)).toEqual(expected);
    expect((await read(second)).status).toBe('cancelled');
    expect((await read(foreign)).status).toBe('pending');
  });

  it('changes the tasks of a filter, with the filters of the list [ui-6.10.1, ui-6.10.2]', async () => {
    const { conversation_id, ids } = await tasks(3);
    const filter = { conversation_id, status: ['pending'] };
    expect(await bulk({ action: 'priority', priority: 40, filter, dry_run: true })).toMatchObject({ matched: 3 });
    expect((await read(ids[0] ?? '')).priority).toBe(0);
    const set = await bulk({ action: 'priority', priority: 40, filter });
    expect(set.results).toEqual(ids.toReversed().map((id) => ({ id, ok: true })));
    for (const id of ids) expect((await read(id)).priority).toBe(40);
    expect(await bulk({ action: 'cancel', filter: { ...filter, status: 'pending,running' } })).toMatchObject({
      matched: 3,
    });
    const retried = await bulk({ action: 'retry', filter: { conversation_id } });
    expect(retried.matched).toBe(3);
    for (const { id, ok, task_id } of retried.results) {
      expect(ok).toBe(true);
      expect(await read(task_id ?? '')).toMatchObject({ retry_of: id, status: 'pending', priority: 40 });
    }
    expect(await bulk({ action: 'cancel', filter: { conversation_id, status: 'running' } })).toEqual({
      matched: 0,
      results: [],
      next_cursor: null,
    });
  });

  it('retries once under one idempotency key [ui-6.10.1]', async () => {
    const { ids } = await tasks(2);
    await bulk({ action: 'cancel', ids });
    const retry = () =>
      service.call('POST', '/v1/agent/tasks/bulk', {
        as: 'editor',
        body: { action: 'retry', ids },
        headers: { 'idempotency-key': 'once' },
      });
    const first = await retry();
    expect((await retry()).body).toEqual(first.body);
    const listed = await service.call('GET', `/v1/agent/tasks?retry_of=${ids[0]}`);
    expect(listed.body.tasks).toHaveLength(1);
  });

  it.each([
    [{ action: 'cancel' }, '/ids'],
    [{ action: 'cancel', ids: [unknownId], filter: {} }, '/filter'],
    [{ action: 'priority', ids: [unknownId] }, '/priority'],
    [{ action: 'cancel', ids: [unknownId], priority: 3 }, '/priority'],
    [{ action: 'cancel', filter: { status: 'done' } }, '/filter/status'],
    [{ action: 'cancel', filter: { owner: 'me' } }, '/filter/owner'],
    [{ action: 'delete', ids: [unknownId] }, '/action'],
    [{ action: 'cancel', ids: [unknownId], cursor: 'x' }, '/cursor'],
  ])('refuses %j at %s [ui-6.10.1]', async (body, path) => {
    const reply = await service.call('POST', '/v1/agent/tasks/bulk', { as: 'editor', body });
    expect(reply.status).toBe(400);
    expect(reply.body.errors).toContainEqual(expect.objectContaining({ path }));
  });

  it('audits each task as the single call does, refusals too, and a dry run as the one call [ui-6.10.3]', async () => {
    const { ids } = await tasks(1);
    const foreign = (await tasks(1, 'editor2')).ids[0] ?? '';
    await bulk({ action: 'cancel', ids: [...ids, foreign], dry_run: true });
    const entries = async (id: string) => {
      const query = { resource: `/v1/agent/tasks/${id}` };
      const reply = await service.call('POST', '/v1/audit/query', { as: 'operator', body: query });
      return reply.body.events.filter(({ action }: { action: string }) => action === 'tasks.cancel');
    };
    expect(await entries(ids[0] ?? '')).toEqual([]);
    await bulk({ action: 'cancel', ids: [...ids, foreign] });
    expect(await entries(ids[0] ?? '')).toMatchObject([
      { actor: 'token:editor', outcome: 'success', resource: `/v1/agent/tasks/${ids[0]}/cancel` },
    ]);
    expect(await entries(foreign)).toMatchObject([{ outcome: 'denied', metadata: { code: 'not_owner' } }]);
  });

  it('leaves tasks of other tenants alone [ui-6.10.3]', async () => {
    const { ids } = await tasks(1);
    expect(await bulk({ action: 'cancel', ids }, 'other')).toMatchObject({
      results: [{ ok: false, code: 'task_not_found' }],
    });
    expect(await bulk({ action: 'cancel', filter: {} }, 'other')).toMatchObject({ matched: 0 });
    expect((await read(ids[0] ?? '')).status).toBe('pending');
  });

  it('is not for viewers [ui-6.10.3]', async () => {
    const reply = await service.call('POST', '/v1/agent/tasks/bulk', {
      as: 'viewer',
      body: { action: 'cancel', ids: [unknownId], dry_run: true },
    });
    expect(reply.status).toBe(403);
  });

  it('changes at most 2,000 tasks of a filter and names the rest by a cursor [ui-6.10.4]', async () => {
    const { ids } = await tasks(1);
    await service.db.query(
      `insert into tasks (tenant_id, id, route_id, run_id, max_attempts, title, prompt, created_by, status, conversation_id, completed_at)
       select tenant_id, make_uuid7(), route_id, make_uuid7(), 3, title, prompt, created_by, 'cancelled', 'many', now()
       from tasks, generate_series(1, 2300) where id = $1`,
      [ids[0]],
    );
    const body = { action: 'cancel', filter: { conversation_id: 'many' }, dry_run: true };
    const first = await bulk(body);
    expect(first.matched).toBe(2000);
    const rest = await bulk({ ...body, cursor: first.next_cursor });
    expect(rest).toMatchObject({ matched: 300, next_cursor: null });
    expect(new Set([...first.results, ...rest.results].map(({ id }) => id)).size).toBe(2300);
  });
});

describe('a change of a pending task', () => {
  const patch = (id: string, body: Record<string, unknown>, as: TestUser = 'editor') =>
    service.call('PATCH', `/v1/agent/tasks/${id}`, { as, body });

  it('sets priority, deadline and title, and takes the deadline away again [ui-6.10.5]', async () => {
    const { id } = await service.task({ required_capabilities: ['x'], title: 'before' }, 'editor');
    const changed = await patch(id, { priority: 9, deadline_at: '2099-01-01T00:00:00Z', title: 'after' });
    expect(changed.status).toBe(200);
    const fields = { priority: 9, deadline_at: '2099-01-01T00:00:00.000Z', title: 'after' };
    expect(changed.body.task).toMatchObject(fields);
    expect(await read(id)).toEqual(changed.body.task);
    expect((await patch(id, { deadline_at: null })).body.task).toMatchObject({ ...fields, deadline_at: null });
  });

  it('lets a worker claim it in its new order [ui-6.10.5]', async () => {
    const [first, second] = [await service.task({ title: 'first' }), await service.task({ title: 'second' })];
    await patch(second.id, { priority: 100 }, 'operator');
    const [claimed] = await worker.claim(1);
    expect(claimed?.task.id).toBe(second.id);
    const late = await patch(second.id, { priority: 1 }, 'operator');
    expect(late).toMatchObject({ status: 409, body: { code: 'task_not_pending' } });
    await service.call('POST', `/v1/agent/tasks/${first.id}/cancel`, { body: {} });
    expect((await patch(first.id, { title: 'x' }, 'operator')).status).toBe(409);
  });

  it.each([
    [{ prompt: 'p' }, '/prompt'],
    [{ status: 'cancelled' }, '/status'],
    [{ priority: 101 }, '/priority'],
    [{ priority: null }, '/priority'],
    [{ title: '' }, '/title'],
    [{ deadline_at: 'soon' }, '/deadline_at'],
    [{ deadline_at: '0001-01-01T00:00:00Z' }, '/deadline_at'],
    [{}, ''],
  ])('refuses %j [ui-6.10.5]', async (body, path) => {
    const { id } = await service.task({ required_capabilities: ['x'] }, 'editor');
    const reply = await patch(id, body);
    expect(reply.status).toBe(400);
    expect(reply.body.errors).toContainEqual(expect.objectContaining({ path }));
  });

  it('is for its creator and operators, within its tenant [ui-6.10.5]', async () => {
    const { id } = await service.task({ required_capabilities: ['x'] }, 'editor');
    expect(await patch(id, { priority: 1 }, 'editor2')).toMatchObject({ status: 403, body: { code: 'not_owner' } });
    expect((await patch(id, { priority: 1 }, 'other')).status).toBe(404);
    expect((await patch(id, { priority: 1 }, 'viewer')).status).toBe(403);
    expect((await patch(id, { priority: 1 }, 'operator')).status).toBe(200);
  });
});

describe('the commands task bulk', () => {
  const cli = (args: readonly string[]) =>
    command(['task', 'bulk', ...args], {
      env: { SWITCHYARD_URL: service.url, SWITCHYARD_TOKEN: service.token('editor') },
    });

  it('cancel, retry and set the priority, or say what they would do [ui-6.10.6]', async () => {
    const { ids } = await tasks(2);
    const dry = await cli(['cancel', ...ids, '--dry-run']);
    expect(dry).toMatchObject({ code: 0, err: '' });
    expect(dry.out).toContain('2 of 2 would be done');
    expect((await read(ids[0] ?? '')).status).toBe('pending');
    expect((await cli(['priority', '30', ...ids])).out).toContain('2 of 2 done');
    expect((await read(ids[0] ?? '')).priority).toBe(30);
    expect((await cli(['cancel', ...ids])).code).toBe(0);
    const again = await cli(['cancel', ...ids, '--json']);
    expect(again.code).toBe(6);
    expect(JSON.parse(again.out)).toMatchObject({ matched: 2, results: [{ ok: false, code: 'task_finished' }, {}] });
    const retried = JSON.parse((await cli(['retry', ...ids, '--json'])).out);
    expect((await read(retried.results[0].task_id)).retry_of).toBe(ids[0]);
    const filtered = await cli(['cancel', '--status', 'pending', '--target-agent', 'nobody', '--dry-run']);
    expect(filtered).toMatchObject({ code: 0, out: '0 of 0 would be done\n' });
    expect((await cli(['cancel'])).code).toBe(2);
  });
});
