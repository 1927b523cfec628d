// The worker protocol on the wire: each call's form, and which permission it needs. choices-5, choices-4.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

describe('the worker protocol', () => {
  it('register takes what a worker is, and answers worker, codebases, lease and heartbeat [choices-5.1, choices-5.2]', async () => {
    const reply = await service.call('POST', '/v1/agent/workers/register', {
      as: 'agent',
      body: {
        name: 'full',
        capabilities: ['agent', 'build'],
        hostname: 'host',
        version: '1.2.0',
        agents: ['codex'],
        models: ['provider:model'],
        slots: 2,
        codebases: [{ name: 'repo', path: '/repo', description: 'd', workspace_mode: 'in_place' }],
      },
    });
    expect(reply.body).toMatchObject({
      worker: {
        name: 'full',
        status: 'active',
        capabilities: ['agent', 'build'],
        hostname: 'host',
        version: '1.2.0',
        agents: ['codex'],
        models: ['provider:model'],
        slots: 2,
        running: 0,
      },
      codebases: [{ name: 'repo', workspace_mode: 'in_place', bindings: [{ path: '/repo' }] }],
      lease_seconds: 60,
      heartbeat_seconds: 20,
    });
    expect(reply.body.worker.codebases).toEqual([reply.body.codebases[0].codebase_id]);
  });

  it('register answers of a codebase that many hold where this worker has it, and not where thousands do', async () => {
    const register = (name: string, path: string): ReturnType<TestService['call']> =>
      service.call('POST', '/v1/agent/workers/register', {
        as: 'agent',
        body: { name, codebases: [{ codebase_id: 'global', name: 'global', path }] },
      });
    await register('one of many', '/one');
    const { body } = await register('another of many', '/another');
    expect(body.codebases[0].bindings).toEqual([{ worker_id: body.worker.worker_id, path: '/another' }]);
    const { body: globalCodebase } = await service.call('GET', '/v1/agent/codebases/global');
    expect(globalCodebase.codebase.bindings.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining(['/one', '/another']),
    );
  });

  it('claim answers tasks with their leases, heartbeat the four lists, events and release their last number [choices-5.5, choices-5.14, choices-5.16, choices-5.17, choices-5.30, core-6.2.2]', async () => {
    const worker = await service.worker();
    const task = await service.task();
    const [held] = await worker.claim(1, task.id);
    if (held === undefined) throw new Error('nothing claimed');
    expect(held).toEqual({
      task: expect.objectContaining({ id: task.id, status: 'running', messages: [] }),
      codebase: { codebase_id: 'global', path: '/nowhere', workspace_mode: 'worktree' },
      lease_token: expect.any(String),
      lease_expires_at: expect.stringMatching(/Z$/),
    });
    const heartbeat = await worker.heartbeat([held], 3);
    expect(heartbeat.body).toEqual({
      renewed: [{ task_id: task.id, lease_expires_at: expect.any(String) }],
      lost: [],
      cancel: [],
      interventions: [],
      tasks_waiting: false,
    });
    const taken = await worker.report(held, [{ type: 'output', n: 1, stream: 'stderr', text: 'x' }]);
    expect(taken.body).toEqual({ seq: 3, cancel_requested: false });
    const error = { code: 'agent_exit', message: 'it ended with 1' };
    const end = await worker.release(held, { status: 'failed', error, usage: { input_tokens: 5, cost_usd: 0.1 } });
    expect(end.body).toEqual({ task_id: task.id, status: 'failed', seq: 4 });
    const read = await service.call('GET', `/v1/agent/tasks/${task.id}`);
    expect(read.body.task).toMatchObject({ status: 'failed', error, usage: { input_tokens: 5, cost_usd: 0.1 } });
  });

  it('heartbeat says whether a task waits that the worker could take [choices-5.73]', async () => {
    const worker = await service.worker({ name: 'notified of tasks', slots: 2, capabilities: ['rare'] });
    const waits = async (slots_free?: number, held: unknown[] = []): Promise<boolean> => {
      const running = held.map((one) => one);
      const body = { running, ...(slots_free === undefined ? {} : { slots_free }) };
      const heartbeat = await service.call('POST', `/v1/agent/workers/${worker.id}/heartbeat`, { as: 'agent', body });
      expect(heartbeat.status).toBe(200);
      return heartbeat.body.tasks_waiting;
    };
    expect(await waits(2)).toBe(false);
    await service.task({ required_capabilities: ['another'] });
    expect(await waits(2)).toBe(false);
    const task = await service.task({ required_capabilities: ['rare'] });
    expect(await waits(2)).toBe(true);
    expect(await waits()).toBe(true);
    expect(await waits(0)).toBe(false);
    const [held] = await worker.claim(1, task.id);
    if (held === undefined) throw new Error('nothing claimed');
    const lease = { task_id: task.id, lease_token: held.lease_token };
    expect(await waits(1, [lease])).toBe(false);
    await service.task({ required_capabilities: ['rare'] });
    expect(await waits(1, [lease])).toBe(true);
    expect(await waits(0, [lease])).toBe(false);
    await worker.release(held, { status: 'pending' });
    const [next] = await worker.claim();
    if (next === undefined) throw new Error('nothing claimed');
    // The one that it gave back is held from it.
    expect(await waits(1)).toBe(false);
    await worker.release(next, { status: 'completed' });
  });

  it('claim answers again what was assigned and never named, where it is asked to [choices-5.73]', async () => {
    const worker = await service.worker({ name: 'lost its answers', slots: 2 });
    const tasks = [
      await service.task({ target_worker_id: worker.id }),
      await service.task({ target_worker_id: worker.id }),
    ];
    const claim = async (body: object): Promise<string[]> => {
      const all = { worker_id: worker.id, limit: 1, ...body };
      const reply = await service.call('POST', '/v1/worker/tasks/claim', { as: 'agent', body: all });
      return reply.body.tasks.map(({ lease_token }: { lease_token: string }) => lease_token);
    };
    const [lost] = await claim({});
    expect(await claim({ unseen: true })).toEqual([lost]);
    const both = await claim({ unseen: true, limit: 2 });
    expect(both).toEqual([lost, expect.any(String)]);
    expect(await claim({ limit: 2 })).toEqual([]);
    const held = [{ task_id: tasks[0]?.id, lease_token: lost }];
    await service.call('POST', `/v1/agent/workers/${worker.id}/heartbeat`, { as: 'agent', body: { running: held } });
    expect(await claim({ unseen: true, limit: 2 })).toEqual([both[1]]);
    const foreign = { worker_id: worker.id, limit: 2, unseen: true };
    const other = await service.call('POST', '/v1/worker/tasks/claim', { as: 'other', body: foreign });
    expect(other.status).toBe(404);
  });

  it('release takes a result as text or as an object, which is kept as its JSON text [choices-5.70]', async () => {
    const worker = await service.worker();
    const kept = async (result: unknown): Promise<unknown> => {
      const task = await service.task();
      const [held] = await worker.claim(1, task.id);
      if (held === undefined) throw new Error('nothing claimed');
      const end = await worker.release(held, { status: 'completed', result });
      if (end.status !== 200) return [end.status, end.body.errors[0].path];
      return (await service.call('GET', `/v1/agent/tasks/${task.id}`)).body.task.result;
    };
    const result = { codebase_id: 'global', b: [1, 'zwei', null], a: { deep: true } };
    expect(await kept(result)).toBe(JSON.stringify(result));
    expect(await kept('{"codebase_id": "global"}')).toBe('{"codebase_id": "global"}');
    expect(await kept({})).toBe('{}');
    for (const wrong of [1, true, ['a'], null]) expect(await kept(wrong)).toEqual([400, '/result']);
    expect(await kept({ a: 'x'.repeat(999_992) })).toHaveLength(1_000_000);
    expect(await kept({ a: 'x'.repeat(999_993) })).toEqual([400, '/result']);
  });

  it('events whose numbers leave one out are 409 event_gap with the number expected, and none of them is taken [choices-5.71]', async () => {
    const worker = await service.worker();
    const task = await service.task();
    const [held] = await worker.claim(1, task.id);
    if (held === undefined) throw new Error('nothing claimed');
    const post = async (...numbers: number[]): Promise<unknown> => {
      const { status, body } = await worker.report(
        held,
        numbers.map((n) => ({ type: 'progress', n, message: `step ${n}` })),
      );
      return status === 200 ? status : [status, body.code, body.expected];
    };
    const gap = (expected: number): unknown => [409, 'event_gap', expected];
    expect(await post(2)).toEqual(gap(1));
    expect(await post(1)).toBe(200);
    expect(await post(4)).toEqual(gap(2));
    expect(await post(2, 4)).toEqual(gap(3));
    expect(await post(1, 2, 4)).toEqual(gap(3));
    expect(await post(2 ** 52)).toEqual(gap(2));
    expect(await post(1, 2, 3)).toBe(200);
    expect(await post(1, 3)).toBe(200);
    expect(await post(4)).toBe(200);
    const { body } = await service.call('GET', `/v1/agent/tasks/${task.id}/events`);
    const steps = body.events.filter(({ type }: { type: string }) => type === 'progress');
    expect(steps.map(({ data }: { data: { message: string } }) => data.message)).toEqual(
      [1, 2, 3, 4].map((n) => `step ${n}`),
    );
  });

  it('a named task that is taken is 409 to whoever comes second [choices-5.15]', async () => {
    const [one, two] = [await service.worker({ name: 'first' }), await service.worker({ name: 'second' })];
    const task = await service.task();
    await one.claim(1, task.id);
    const body = { worker_id: two.id, task_id: task.id };
    expect(await service.call('POST', '/v1/worker/tasks/claim', { as: 'agent', body })).toMatchObject({
      status: 409,
      body: { code: 'task_taken' },
    });
  });

  it('register, heartbeat, unregister and stream need workers:write; claim, events and release tasks:execute [choices-4.37, choices-4.38, core-5.5.2, core-5.5.3]', () => {
    const demands = Object.fromEntries(
      service.instance.operations.map((row) => [`${row.method} ${row.path}`, row.permission]),
    );
    expect(demands).toMatchObject({
      'POST /v1/agent/workers/register': 'workers:write',
      'POST /v1/agent/workers/:id/heartbeat': 'workers:write',
      'POST /v1/agent/workers/:id/unregister': 'workers:write',
      'GET /v1/worker/tasks/stream': 'workers:write',
      'POST /v1/worker/tasks/claim': 'tasks:execute',
      'POST /v1/worker/tasks/:id/events': 'tasks:execute',
      'POST /v1/worker/tasks/:id/release': 'tasks:execute',
      'GET /v1/agent/tasks': 'tasks:read',
      'POST /v1/agent/codebases': 'codebases:write',
    });
  });

  it('another credential’s worker is not there, but for an operator', async () => {
    const ours = await service.worker({ name: 'of-the-operator' }, 'operator');
    const path = `/v1/agent/workers/${ours.id}`;
    expect((await service.call('POST', `${path}/heartbeat`, { as: 'agent', body: {} })).status).toBe(404);
    expect(
      (await service.call('POST', '/v1/worker/tasks/claim', { as: 'agent', body: { worker_id: ours.id } })).status,
    ).toBe(404);
    expect((await service.call('GET', `/v1/worker/tasks/stream?worker_id=${ours.id}`, { as: 'agent' })).status).toBe(
      404,
    );
    const theirs = await service.worker({ name: 'of-the-agent' });
    const heartbeat = await service.call('POST', `/v1/agent/workers/${theirs.id}/heartbeat`, {
      as: 'operator',
      body: {},
    });
    expect(heartbeat.status).toBe(200);
  });

  it('needs_input without a question is refused, and the run goes on', async () => {
    const worker = await service.worker();
    const task = await service.task();
    const [held] = await worker.claim(1, task.id);
    if (held === undefined) throw new Error('nothing claimed');
    expect((await worker.release(held, { status: 'needs_input' })).body.code).toBe('invalid_request');
    expect((await worker.heartbeat([held])).body.renewed).toHaveLength(1);
  });
});

describe('why a task waits', () => {
  it('names the first thing that somebody must change [choices-3.23, choices-3.24, choices-3.25, choices-3.26, choices-3.27]', async () => {
    await using own = await openService();
    const reason = async (fields: Record<string, unknown> = {}): Promise<string> => {
      const task = await own.task(fields);
      const read = (await own.call('GET', `/v1/agent/tasks/${task.id}`)).body.task.waiting_reason;
      expect(task).toMatchObject({ waiting_reason: read });
      return read;
    };
    expect(await reason()).toBe('no_worker_for_codebase');
    const worker = await own.worker({ capabilities: ['gpu'], slots: 1 });
    expect(await reason({ required_capabilities: ['gpu', 'tpu'] })).toBe('no_worker_with_capability');
    expect(await reason({ target_agent: 'nobody' })).toBe('no_such_agent');
    await worker.claim();
    expect(await reason()).toBe('workers_busy');
    await own.db.query(`update workers set last_heartbeat_at = now() - interval '1 hour'`);
    await own.restart();
    expect(await reason()).toBe('worker_offline');
    await own.call('POST', `/v1/agent/workers/${worker.id}/unregister`, { as: 'agent' });
    expect(await reason({ target_worker_id: worker.id })).toBe('no_such_worker');
  });
});

describe('registration by path', () => {
  it('with no worker there is 503 no_workers_available [choices-3.61, core-3.4.6, core-7.9]', async () => {
    await using own = await openService();
    const body = { name: 'r', path: '/r' };
    const reply = await own.call('POST', '/v1/agent/codebases', { body });
    expect(reply).toMatchObject({ status: 503, body: { code: 'no_workers_available' } });
    expect(reply.body.detail).toContain('No workers are available');
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await own.db.query('select from tasks')).toEqual([]);
  });

  it('makes a task that any worker may claim, and the one that has the path binds it [choices-3.56, core-3.4.5]', async () => {
    await using own = await openService();
    const worker = await own.worker({ codebases: [] });
    const registration = await own.call('POST', '/v1/agent/codebases', {
      as: 'agent',
      body: { name: 'r', path: '/r' },
    });
    expect(registration).toMatchObject({
      status: 202,
      body: { pending: true, task_id: expect.any(String), message: expect.any(String) },
    });
    const [held] = await worker.claim();
    expect(held?.task).toMatchObject({
      id: registration.body.task_id,
      codebase_id: '__pending__',
      metadata: { registration: { name: 'r', path: '/r' } },
    });
  });
});
