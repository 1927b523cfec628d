// Tasks as a caller sees them: fields, defaults, lists, filters, output and artifacts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TaskWire } from '../../../../src/contracts/task.ts';
import { openService, type TestService } from '../../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function codebase(): Promise<string> {
  const worker = await service.worker({ name: 'holder', codebases: [{ name: 'repo', path: '/repo' }] });
  return worker.registered.codebases[0]?.codebase_id ?? '';
}

describe('creating a task', () => {
  it('accepts title and prompt, and answers 201 with every field, defaults filled in [core-2.5.2, core-4.4.4, core-3.1.1, choices-3.64, choices-3.17, choices-3.18, choices-3.19, choices-3.20, choices-3.21, choices-3.22]', async () => {
    const reply = await service.call('POST', '/v1/agent/tasks', { as: 'editor', body: { title: 't', prompt: 'p' } });
    expect(reply.status).toBe(201);
    expect(reply.body.task).toEqual({
      id: expect.stringMatching(uuid7),
      title: 't',
      prompt: 'p',
      status: 'pending',
      waiting_reason: 'no_codebase',
      agent_type: null,
      model: null,
      priority: 0,
      codebase_id: null,
      worker_id: null,
      target_agent: null,
      target_worker_id: null,
      required_capabilities: [],
      conversation_id: null,
      created_by: 'token:editor',
      created_at: expect.stringMatching(iso),
      updated_at: expect.stringMatching(iso),
      started_at: null,
      completed_at: null,
      run_id: expect.stringMatching(uuid7),
      attempt: 0,
      max_attempts: 3,
      deadline_at: null,
      webhook_url: null,
      result: null,
      error: null,
      usage: null,
      retry_of: null,
      metadata: {},
      question: null,
      last_event_at: reply.body.task.created_at,
      last_output: null,
      lease_expires_at: null,
      paused_at: null,
      changes: null,
      follows: null,
    });
    // The answer of a creation equals that of a read. [core-4.4.6, choices-3.65]
    expect((await service.call('GET', `/v1/agent/tasks/${reply.body.task.id}`)).body).toEqual(reply.body);
  });

  it('has the trace of the call that created it, also in lists [ui-4.5.41]', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const { body } = await service.call('POST', '/v1/agent/tasks', {
      body: { title: 'Traced', prompt: 'traced', codebase_id: 'global', conversation_id: 'traced' },
      headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
    });
    expect(body.task.trace_id).toBe(traceId);
    const list = await service.call('GET', '/v1/agent/tasks?conversation_id=traced');
    expect(list.body.tasks[0].trace_id).toBe(traceId);
  });

  it('accepts every field of a new task [choices-3.29, choices-3.30, choices-3.31, choices-3.32, choices-3.33, choices-3.34, choices-3.35, choices-3.36, choices-3.37]', async () => {
    const worker = await service.worker();
    const fields = {
      priority: 100,
      agent_type: 'build',
      model: 'provider:model',
      required_capabilities: ['gpu', 'deploy'],
      target_agent: 'hand',
      target_worker_id: worker.id,
      deadline_at: '2099-01-01T00:00:00.000Z',
      max_attempts: 7,
      conversation_id: 'a conversation',
      metadata: { nested: { list: [1, 'two', null] } },
      webhook_url: 'https://example.org/hook',
    };
    expect(await service.task(fields)).toMatchObject(fields);
  });

  it('in a codebase named in the path, with a priority [core-2.5.1, core-4.4.3]', async () => {
    const id = await codebase();
    const path = `/v1/agent/codebases/${id}/tasks`;
    const reply = await service.call('POST', path, { body: { title: 't', prompt: 'p', priority: 5 } });
    expect(reply).toMatchObject({ status: 201, body: { task: { codebase_id: id, priority: 5 } } });
  });

  it('without a codebase_id waits with the reason no_codebase, and is assigned to no worker [choices-3.39, choices-3.28, tools-7.1]', async () => {
    const worker = await service.worker({ name: 'gets-nothing', codebases: [] });
    const reply = await service.call('POST', '/v1/agent/tasks', {
      body: { title: 't', prompt: 'p', target_worker_id: worker.id },
    });
    expect(reply.body.task.waiting_reason).toBe('no_codebase');
    expect(await worker.claim(10)).toEqual([]);
  });

  it('with a codebase_id that does not exist is 404 [choices-3.40]', async () => {
    for (const codebase_id of ['nonsense', '01a1fe3a-a67c-7000-bbb2-66e11402a1ff']) {
      const reply = await service.call('POST', '/v1/agent/tasks', { body: { title: 't', prompt: 'p', codebase_id } });
      expect(reply).toMatchObject({ status: 404, body: { code: 'codebase_not_found' } });
    }
  });

  it.each([
    ['priority over 100', { priority: 101 }],
    ['priority under 0', { priority: -1 }],
    ['priority that is no integer', { priority: 1.5 }],
    ['priority as text', { priority: '5' }],
    ['metadata over 16 KiB', { metadata: { x: 'y'.repeat(16 * 1024) } }],
    ['metadata that is a list', { metadata: [] }],
    ['a deadline that is no time', { deadline_at: 'tomorrow' }],
    ['the registrations’ codebase', { codebase_id: '__pending__' }],
    ['a webhook that is no address', { webhook_url: 'nowhere' }],
    ['no attempts', { max_attempts: 0 }],
  ])('rejects %s, and creates nothing', async (_, fields) => {
    const count = async (): Promise<unknown> => service.db.query('select count(*) from tasks');
    const before = await count();
    const reply = await service.call('POST', '/v1/agent/tasks', { body: { title: 't', prompt: 'p', ...fields } });
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(await count()).toEqual(before);
  });
});

describe('lists of tasks', () => {
  it('run newest first in pages of limit, and end with a null cursor [core-4.4.5, choices-3.14, choices-3.15]', async () => {
    await using own = await openService();
    const made: string[] = [];
    for (let i = 0; i < 7; i += 1) made.unshift((await own.task({ title: `t${i}` })).id);
    const seen: string[] = [];
    let cursor: string | null = '';
    for (let pages = 0; cursor !== null && pages < 10; pages += 1) {
      const query: string = cursor === '' ? 'limit=3' : `limit=3&cursor=${encodeURIComponent(cursor)}`;
      const reply = await own.call('GET', `/v1/agent/tasks?${query}`);
      expect(reply.body.tasks.length).toBeLessThanOrEqual(3);
      seen.push(...reply.body.tasks.map((task: TaskWire) => task.id));
      cursor = reply.body.next_cursor;
    }
    expect(seen).toEqual(made);
    for (const wrong of ['limit=0', 'limit=201', 'limit=x', 'cursor=nonsense', 'limit=1&limit=2', 'colour=red']) {
      expect((await own.call('GET', `/v1/agent/tasks?${wrong}`)).status).toBe(400);
    }
  });

  it('are filtered by each field and by text [choices-3.16]', async () => {
    await using own = await openService();
    const worker = await own.worker();
    const one = await own.task({ title: 'paint 100% of it', agent_type: 'build', conversation_id: 'c' });
    const two = await own.task({ title: 'other', agent_type: 'plan', prompt: 'PAINT too' });
    const [held] = await worker.claim(1, one.id);
    const list = async (query: string): Promise<string[]> =>
      (await own.call('GET', `/v1/agent/tasks?${query}`)).body.tasks.map((task: TaskWire) => task.id);
    expect(await list('status=running')).toEqual([one.id]);
    expect(await list('codebase_id=global')).toEqual([two.id, one.id]);
    expect(await list(`worker_id=${held?.task.worker_id}`)).toEqual([one.id]);
    expect(await list('agent_type=plan')).toEqual([two.id]);
    expect(await list('conversation_id=c')).toEqual([one.id]);
    expect(await list('q=paint')).toEqual([two.id, one.id]);
    expect(await list('q=100%25')).toEqual([one.id]);
    expect(await list('q=%25%25')).toEqual([]);
    expect(await list(`created_after=${encodeURIComponent(two.created_at)}`)).toEqual([]);
    expect(await list('created_after=2020-01-01T00:00:00Z')).toEqual([two.id, one.id]);
  });
});

describe('output and artifacts', () => {
  it('are returned with their content, chunks joined [choices-3.73, choices-3.74, choices-3.75, choices-3.44, choices-3.71, choices-5.22, choices-5.23, choices-5.24, choices-5.25, choices-5.26]', async () => {
    const task = await service.task();
    const worker = await service.worker();
    const [held] = await worker.claim(1, task.id);
    if (held === undefined) throw new Error('nothing claimed');
    const reply = await worker.report(held, [
      { type: 'output', n: 1, stream: 'stdout', text: 'one ' },
      { type: 'progress', n: 2, percent: 50, message: 'half' },
      { type: 'message', n: 3, role: 'agent', parts: [{ text: 'hello' }] },
      { type: 'artifact', n: 4, artifact_id: 'a1', name: 'log', text: 'first ' },
      { type: 'artifact', n: 5, artifact_id: 'a1', name: 'log', text: 'second', append: true, last_chunk: true },
      { type: 'artifact', n: 6, name: 'pixel', mime_type: 'image/png', bytes: 'AAEC' },
      { type: 'checkpoint', n: 7, data: { step: 3 } },
      { type: 'output', n: 8, stream: 'agent', text: 'two' },
    ]);
    expect(reply).toMatchObject({ status: 200, body: { seq: 10, cancel_requested: false } });
    const release = {
      status: 'completed',
      artifacts: [{ name: 'facts', mime_type: 'application/json', data: { a: [1] } }],
    };
    expect((await worker.release(held, release)).body.seq).toBe(12);
    const get = async (path: string): Promise<{ status: number; body: Record<string, unknown> }> =>
      service.call('GET', `/v1/agent/tasks/${task.id}/${path}`);
    expect((await get('output')).body).toMatchObject({
      output: [
        { seq: 3, stream: 'stdout', text: 'one ' },
        { seq: 10, stream: 'agent', text: 'two' },
      ],
      next: 10,
    });
    expect((await get('artifacts')).body['artifacts']).toMatchObject([
      { artifact_id: 'a1', name: 'log', mime_type: 'text/plain', size: 12 },
      { artifact_id: 'pixel', mime_type: 'image/png', size: 3 },
      { artifact_id: 'facts' },
    ]);
    expect((await get('artifacts/a1')).body['artifact']).toMatchObject({ text: 'first second' });
    expect((await get('artifacts/pixel')).body['artifact']).toMatchObject({ bytes: 'AAEC' });
    expect((await get('artifacts/facts')).body['artifact']).toMatchObject({ data: { a: [1] } });
    expect(await get('artifacts/none')).toMatchObject({ status: 404, body: { code: 'artifact_not_found' } });
    const page = await get('events?after=9&limit=2');
    expect(page.body).toMatchObject({
      events: [
        { seq: 10, type: 'output' },
        { seq: 11, type: 'artifact' },
      ],
      next: 11,
    });
  });

  it.each([
    ['no content', {}],
    ['two contents', { text: 'a', uri: 'b' }],
    ['bytes that are not base64', { bytes: '***' }],
  ])('an artifact with %s is rejected, with its whole report', async (_, content) => {
    const task = await service.task();
    const worker = await service.worker();
    const [held] = await worker.claim(1, task.id);
    if (held === undefined) throw new Error('nothing claimed');
    const reply = await worker.report(held, [
      { type: 'output', n: 1, stream: 'stdout', text: 'x' },
      { type: 'artifact', n: 2, name: 'a', ...content },
    ]);
    expect(reply.status).toBe(400);
    expect((await service.call('GET', `/v1/agent/tasks/${task.id}/output`)).body.output).toEqual([]);
  });
});

describe('retry', () => {
  it('creates a new task from a finished one only [choices-2.27, choices-3.69]', async () => {
    const task = await service.task({ priority: 3, metadata: { a: 1 } });
    expect((await service.call('POST', `/v1/agent/tasks/${task.id}/retry`)).body.code).toBe('task_not_finished');
    await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`);
    const reply = await service.call('POST', `/v1/agent/tasks/${task.id}/retry`);
    expect(reply).toMatchObject({
      status: 201,
      body: { task: { retry_of: task.id, priority: 3, metadata: { a: 1 }, status: 'pending' } },
    });
    expect(reply.body.task.id).not.toBe(task.id);
  });
});

describe('ownership of a task', () => {
  it('lets another editor read but not change it; an operator may [choices-3.68]', async () => {
    const task = await service.task({}, 'editor');
    for (const verb of ['cancel', 'retry', 'input']) {
      const body = verb === 'input' ? { message: 'x' } : {};
      const reply = await service.call('POST', `/v1/agent/tasks/${task.id}/${verb}`, { as: 'editor2', body });
      expect(reply).toMatchObject({ status: 403, body: { code: 'not_owner' } });
    }
    expect((await service.call('GET', `/v1/agent/tasks/${task.id}`, { as: 'editor2' })).status).toBe(200);
    expect((await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`, { as: 'operator' })).status).toBe(200);
  });

  it('lets a service account change only what its own worker runs [choices-3.54]', async () => {
    const [ours, others] = [await service.task(), await service.task()];
    const worker = await service.worker();
    await worker.claim(1, ours.id);
    expect((await service.call('POST', `/v1/agent/tasks/${others.id}/cancel`, { as: 'agent' })).status).toBe(403);
    expect((await service.call('POST', `/v1/agent/tasks/${ours.id}/cancel`, { as: 'agent' })).status).toBe(200);
  });
});
