// Automation as a no-code platform uses it: create, get, list, answer, cancel.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openService,
  type ManualWorker,
  type TestService,
  type ApiReply,
  type TestUser,
} from '../../../support/service.ts';
import { assertInvariants } from '../../../support/database/invariants.ts';

let service: TestService;
let worker: ManualWorker;
beforeAll(async () => {
  service = await openService();
  worker = await service.worker({ slots: 20 });
});
afterAll(async () => {
  await assertInvariants(service.db);
  await service[Symbol.asyncDispose]();
});

const least = { title: 'a report', description: 'write a report' };

function create(fields: Record<string, unknown> = {}, as: TestUser = 'editor'): Promise<ApiReply> {
  return service.call('POST', '/v1/automation/tasks', { as, body: { ...least, ...fields } });
}

async function made(fields: Record<string, unknown> = {}, as: TestUser = 'editor'): Promise<string> {
  const reply = await create(fields, as);
  expect(reply.status).toBe(201);
  return reply.body.task_id;
}

async function readTask(id: string, as: TestUser = 'viewer'): Promise<ApiReply['body']> {
  const reply = await service.call('GET', `/v1/automation/tasks/${id}`, { as });
  expect(reply.status).toBe(200);
  return reply.body;
}

async function ended(release: Record<string, unknown>): Promise<string> {
  const id = await made();
  const [held] = await worker.claim(1, id);
  if (held === undefined) throw new Error('nothing claimed');
  expect((await worker.release(held, release)).status).toBe(200);
  return id;
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('an automation task', () => {
  it('is created as queued from title and description only [core-1.3.4, core-1.13, core-2.4.1, core-2.4.2, core-2.4.6, core-2.4.7, core-3.3.1, core-4.6.1]', async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    expect(body).toEqual({
      task_id: expect.any(String),
      run_id: expect.any(String),
      status: 'queued',
      title: 'a report',
      created_at: expect.stringMatching(time),
    });
    const { body: same } = await service.call('GET', `/v1/agent/tasks/${body.task_id}`);
    expect(same.task).toMatchObject({ prompt: 'write a report', status: 'pending', run_id: body.run_id });
  });

  it('goes to global unless it names a codebase [choices-3.41]', async () => {
    expect(await readTask(await made())).toMatchObject({ codebase_id: 'global' });
    const missing = await create({ codebase_id: '01890000-0000-7000-8000-000000000000' });
    expect(missing).toMatchObject({ status: 404, body: { code: 'codebase_not_found' } });
  });

  it('accepts every field of a new task, and keeps its webhook [core-2.4.3, core-2.4.5]', async () => {
    const fields = {
      agent_type: 'plan',
      model: 'two:only',
      webhook_url: 'https://hooks.example.com/in',
      priority: 7,
      required_capabilities: ['agent'],
      target_agent: 'hand',
      deadline_at: '2100-01-01T00:00:00.000Z',
      max_attempts: 2,
      conversation_id: 'talk',
      metadata: { ticket: 'T-1' },
    };
    const id = await made({ ...fields, target_worker_id: worker.id });
    const { body } = await service.call('GET', `/v1/agent/tasks/${id}`);
    expect(body.task).toMatchObject({ ...fields, target_worker_id: worker.id });
  });

  it('is rejected when a field is missing, too long or unknown [choices-3.120]', async () => {
    const wrong: [path: string, body: Record<string, unknown>][] = [
      ['/title', { description: 'd' }],
      ['/title', { title: '', description: 'd' }],
      ['/title', { title: 'x'.repeat(201), description: 'd' }],
      ['/description', { title: 't' }],
      ['/description', { title: 't', description: '' }],
      ['/description', { title: 't', description: 'x'.repeat(20_001) }],
      ['/agent_type', { ...least, agent_type: 'poet' }],
      ['/webhook_url', { ...least, webhook_url: 'not a url' }],
      ['/priority', { ...least, priority: 101 }],
      ['/prompt', { ...least, prompt: 'the agent family says prompt' }],
    ];
    for (const [path, body] of wrong) {
      const reply = await service.call('POST', '/v1/automation/tasks', { as: 'operator', body });
      expect([path, reply.status, reply.body.errors?.[0].path]).toEqual([path, 400, path]);
    }
    const longest = { title: 'x'.repeat(200), description: 'y'.repeat(20_000) };
    expect((await create(longest)).status).toBe(201);
  });

  it('must name a model of the catalogue; the error lists them [core-2.4.4, choices-3.121]', async () => {
    const refused = await create({ model: 'three:none' });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: '/model' }] } });
    for (const model of service.config.models) {
      expect(refused.body.detail).toContain(model);
      expect((await create({ model })).status).toBe(201);
    }
  });

  it('shows its waiting reason: without a worker it stays queued [core-7.10]', async () => {
    const { body } = await service.call('POST', '/v1/automation/tasks', { as: 'other', body: least });
    expect(await readTask(body.task_id, 'other')).toMatchObject({
      status: 'queued',
      waiting_reason: 'no_worker_for_codebase',
      result_summary: null,
      runtime_seconds: null,
      completed_at: null,
      error: null,
    });
  });

  it('has its own names for the task states, up to the result [core-2.4.8, core-2.4.9, core-4.6.2, choices-2.12, choices-3.117]', async () => {
    const id = await made();
    expect(await readTask(id)).toMatchObject({ status: 'queued' });
    const [held] = await worker.claim(1, id);
    if (held === undefined) throw new Error('nothing claimed');
    expect(await readTask(id)).toMatchObject({ status: 'running', started_at: expect.stringMatching(time) });
    await worker.release(held, { status: 'completed', result: 'it is written' });
    await service.db.query(`update tasks set started_at = completed_at - interval '7.3 s' where id = $1`, [id]);
    expect(await readTask(id)).toMatchObject({
      task_id: id,
      run_id: held.task.run_id,
      title: 'a report',
      status: 'completed',
      result_summary: 'it is written',
      runtime_seconds: 7,
      created_at: expect.stringMatching(time),
      completed_at: expect.stringMatching(time),
      error: null,
    });
  });

  it('that failed shows the error [core-2.4.8, choices-3.117]', async () => {
    const error = { code: 'agent_failed', message: 'no paper' };
    const id = await ended({ status: 'failed', error });
    expect(await readTask(id)).toMatchObject({
      status: 'failed',
      error,
      result_summary: 'no paper',
      runtime_seconds: 0,
    });
  });

  it('shows a question as its summary, and continues with the answer [choices-3.118, choices-5.29]', async () => {
    const id = await ended({ status: 'needs_input', message: { text: 'on which paper?' } });
    expect(await readTask(id)).toMatchObject({ status: 'needs_input', result_summary: 'on which paper?' });
    const input = `/v1/automation/tasks/${id}/input`;
    const foreign = await service.call('POST', input, { as: 'editor2', body: { message: 'mine' } });
    expect(foreign).toMatchObject({ status: 403, body: { code: 'not_owner' } });
    const answered = await service.call('POST', input, { as: 'editor', body: { message: 'A4' } });
    expect(answered).toMatchObject({ status: 200, body: { status: 'queued', result_summary: null } });
    const again = await service.call('POST', input, { as: 'editor', body: { message: 'A5' } });
    expect(again).toMatchObject({ status: 409, body: { code: 'no_question' } });
    const [held] = await worker.claim(1, id);
    expect(held?.task.messages.map(({ parts }) => parts)).toEqual([[{ text: 'on which paper?' }], [{ text: 'A4' }]]);
    if (held !== undefined) await worker.release(held, { status: 'completed', result: 'done' });
  });
});

describe('cancelling', () => {
  const cancel = (id: string, as: TestUser): Promise<ApiReply> =>
    service.call('DELETE', `/v1/automation/tasks/${id}`, { as });

  it('ends a task that is not finished, once [core-4.6.4, choices-3.116]', async () => {
    const id = await made();
    expect(await cancel(id, 'editor')).toMatchObject({ status: 200, body: { task_id: id, status: 'cancelled' } });
    expect(await readTask(id)).toMatchObject({ status: 'cancelled', runtime_seconds: 0, result_summary: '' });
    expect(await cancel(id, 'editor')).toMatchObject({ status: 409, body: { code: 'task_finished' } });
    const finished = await ended({ status: 'completed', result: 'r' });
    expect(await cancel(finished, 'editor')).toMatchObject({ status: 409, body: { code: 'task_finished' } });
  });

  it('of an own task needs automation:write, of another’s an operator', async () => {
    const id = await made();
    expect((await cancel(id, 'viewer')).body).toMatchObject({ status: 403, code: 'permission_missing' });
    expect((await cancel(id, 'editor2')).body).toMatchObject({ status: 403, code: 'not_owner' });
    expect((await cancel(id, 'other')).body).toMatchObject({ status: 404, code: 'task_not_found' });
    expect((await cancel(id, 'operator')).status).toBe(200);
  });
});

describe('the list', () => {
  it('answers pages of tasks, newest first, by status [core-4.6.3, choices-3.115]', async () => {
    const list = async (query: string): Promise<ApiReply['body']> =>
      (await service.call('GET', `/v1/automation/tasks?${query}`, { as: 'admin' })).body;
    const needsInput = await ended({ status: 'needs_input', message: { text: 'which?' } });
    const waiting = [await made(), await made(), await made()];
    const first = await list('status=queued&limit=2');
    expect(first.tasks.map((task: { task_id: string }) => task.task_id)).toEqual([waiting[2], waiting[1]]);
    const second = await list(`status=queued&limit=1&cursor=${first.next_cursor}`);
    expect(second.tasks).toMatchObject([{ task_id: waiting[0], status: 'queued' }]);
    expect((await list('status=needs_input')).tasks).toMatchObject([{ task_id: needsInput, result_summary: 'which?' }]);
    expect((await list('limit=200')).next_cursor).toBeNull();
    for (const status of ['running', 'completed', 'failed', 'cancelled']) {
      const { tasks } = await list(`status=${status}`);
      expect(tasks.filter((task: { status: string }) => task.status !== status)).toEqual([]);
    }
    const wrong = await service.call('GET', '/v1/automation/tasks?status=pending', { as: 'admin' });
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: '/query/status' }] } });
  });
});

describe('me', () => {
  it('verifies the credential and returns its identity [core-4.6.5, choices-3.119]', async () => {
    const reply = await service.call('GET', '/v1/automation/me', { as: 'viewer' });
    expect(reply).toMatchObject({ status: 200 });
    expect(reply.body).toEqual({
      subject: 'token:viewer',
      name: 'viewer',
      tenant_id: 'default',
      roles: ['viewer'],
      scopes: null,
      credential: 'shared_token',
    });
    const wrong = await service.call('GET', '/v1/automation/me', { token: 'wrong' });
    expect(wrong).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  });
});
