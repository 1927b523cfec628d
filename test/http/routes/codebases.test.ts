// Codebases, the sessions in them, workers and the monitor, as a caller sees them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

const register = (
  body: Record<string, unknown>,
  as: 'operator' | 'agent' | 'editor' = 'operator',
): ReturnType<TestService['call']> =>
  service.call('POST', '/v1/agent/codebases', { as, body: { name: 'repo', path: '/repo', ...body } });

describe('registering a codebase', () => {
  it('with a worker_id binds it to that worker at once, and its tasks go there alone [core-2.6.1, core-2.6.2, core-2.6.3, core-2.6.4, core-4.4.1, core-3.4.2, choices-3.48, choices-3.49, choices-3.53, choices-3.55]', async () => {
    const [one, two] = [await service.worker({ name: 'one' }), await service.worker({ name: 'two' })];
    const reply = await register({ worker_id: one.id, description: 'a repository' });
    expect(reply.status).toBe(201);
    const { codebase } = reply.body;
    expect(codebase).toEqual({
      codebase_id: expect.any(String),
      name: 'repo',
      path: '/repo',
      description: 'a repository',
      worker_id: one.id,
      status: 'active',
      workspace_mode: 'worktree',
      created_by: 'token:operator',
      created_at: expect.any(String),
      bindings: [{ worker_id: one.id, path: '/repo' }],
    });
    const task = await service.task({ codebase_id: codebase.codebase_id });
    expect(await two.claim()).toEqual([]);
    expect((await one.claim())[0]?.task.id).toBe(task.id);
  });

  it('of a known id adds a binding, each worker at its own path [choices-3.50]', async () => {
    const [one, two] = [await service.worker({ name: 'b1' }), await service.worker({ name: 'b2' })];
    const { codebase_id } = (await register({ worker_id: one.id, path: '/first' })).body.codebase;
    const reply = await register({ codebase_id, worker_id: two.id, path: '/second' });
    expect(reply.body.codebase.bindings).toEqual([
      { worker_id: one.id, path: '/first' },
      { worker_id: two.id, path: '/second' },
    ]);
    await service.task({ codebase_id });
    await service.task({ codebase_id });
    expect(await two.claim()).toHaveLength(1);
    expect(await one.claim()).toHaveLength(1);
  });

  it('of an unknown id is 404, of global makes the tenant’s one [choices-3.51, choices-3.52, core-2.6.5]', async () => {
    await using own = await openService();
    const worker = await own.worker({ codebases: [] });
    const body = { name: 'g', path: '/g', worker_id: worker.id };
    const call = (codebase_id: string): ReturnType<TestService['call']> =>
      own.call('POST', '/v1/agent/codebases', { as: 'operator', body: { ...body, codebase_id } });
    for (const unknown of ['01a1fe3a-a67c-7000-bbb2-66e11402a1ff', 'a-name', '__pending__']) {
      expect(await call(unknown)).toMatchObject({ status: 404, body: { code: 'codebase_not_found' } });
      const byPath = { name: 'g', path: '/g', codebase_id: unknown };
      const registration = await own.call('POST', '/v1/agent/codebases', { as: 'operator', body: byPath });
      expect(registration).toMatchObject({ status: 404, body: { code: 'codebase_not_found' } });
    }
    expect((await call('global')).body.codebase).toMatchObject({ codebase_id: 'global', worker_id: worker.id });
    await call('global');
    expect(
      await own.db.query(`select from workspaces where codebase_id = 'global' and tenant_id = 'default'`),
    ).toHaveLength(1);
  });

  it('names what is at fault once, and what to write', async () => {
    const { body } = await service.call('POST', '/v1/agent/tasks', {
      body: { title: 't', prompt: 'p', deadline_at: 'soon', target_worker_id: 'me' },
    });
    expect(body.errors).toEqual([
      { path: '/target_worker_id', message: 'must be a UUID in lower case' },
      { path: '/deadline_at', message: 'must be a time in ISO 8601 with Z or an offset, such as 2026-01-02T03:04:05Z' },
    ]);
  });

  it('to another credential’s worker needs an operator', async () => {
    const worker = await service.worker({ name: 'not-yours' });
    expect((await register({ worker_id: worker.id }, 'editor')).body.code).toBe('not_owner');
    expect((await register({ worker_id: worker.id, path: '/elsewhere' }, 'operator')).status).toBe(201);
  });

  it('of the same path by the same worker again is the same codebase', async () => {
    const profile = { name: 'again', codebases: [{ name: 'r', path: '/r' }] };
    const [one, two] = [await service.worker(profile), await service.worker(profile)];
    expect(two.registered.codebases[0]?.codebase_id).toBe(one.registered.codebases[0]?.codebase_id);
    expect(two.id).toBe(one.id);
  });
});

describe('codebases', () => {
  it('are listed, read, and removed once no task of them is open; they lie in the table workspaces [choices-3.62, choices-3.66, choices-3.67]', async () => {
    const worker = await service.worker({ name: 'keeper' });
    const { codebase_id } = (await register({ worker_id: worker.id, path: '/kept' })).body.codebase;
    const path = `/v1/agent/codebases/${codebase_id}`;
    expect((await service.call('GET', path)).body.codebase.path).toBe('/kept');
    const list = await service.call('GET', `/v1/agent/codebases?worker_id=${worker.id}`);
    expect(list.body.codebases.map((c: { codebase_id: string }) => c.codebase_id)).toContain(codebase_id);
    expect(await service.db.query('select from workspaces where codebase_id = $1', [codebase_id])).toHaveLength(1);
    const task = await service.task({ codebase_id });
    expect((await service.call('DELETE', path)).body.code).toBe('codebase_in_use');
    await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`);
    expect((await service.call('DELETE', path, { as: 'operator' })).status).toBe(403);
    expect((await service.call('DELETE', path)).status).toBe(200);
    expect((await service.call('GET', path)).status).toBe(404);
  });

  it('are triggered with a prompt and an agent, and answer 202 with the ids [core-4.4.2, choices-3.63, choices-4.39]', async () => {
    await service.worker();
    const reply = await service.call('POST', '/v1/agent/codebases/global/trigger', {
      as: 'editor',
      body: { prompt: 'fix it\nnow', agent: 'build' },
    });
    expect(reply).toMatchObject({ status: 202, body: { status: 'pending' } });
    const { task } = (await service.call('GET', `/v1/agent/tasks/${reply.body.task_id}`)).body;
    expect(task).toMatchObject({
      title: 'fix it',
      agent_type: 'build',
      run_id: reply.body.run_id,
      conversation_id: reply.body.session_id,
    });
  });
});

describe('sessions', () => {
  it('are as workers report them, and the newest report counts [core-1.3, choices-3.77, choices-3.78, choices-5.19, choices-5.20]', async () => {
    const worker = await service.worker({ name: 'teller', codebases: [{ name: 's', path: '/s' }] });
    const id = worker.registered.codebases[0]?.codebase_id;
    const path = `/v1/agent/codebases/${id}/sessions`;
    const session = {
      session_id: 's1',
      title: 'first',
      started_at: '2026-01-01T00:00:00.000Z',
      tool_usage: { bash: 2 },
    };
    const sync = (sessions: unknown[]): ReturnType<TestService['call']> =>
      service.call('POST', `${path}/sync`, { as: 'agent', body: { worker_id: worker.id, sessions } });
    expect((await sync([session])).body).toEqual({ synced: 1 });
    expect((await sync([{ ...session, title: 'renamed', message_count: 4 }])).body).toEqual({ synced: 1 });
    expect((await service.call('GET', path)).body.sessions).toMatchObject([
      { session_id: 's1', title: 'renamed', message_count: 4, tool_usage: { bash: 2 }, worker_id: worker.id },
    ]);
    expect((await service.call('GET', `${path}/s1`)).body.session.codebase_id).toBe(id);
    const messages = [{ message_id: 'm1', role: 'assistant', summary: 'did it', tool_usage: { edit: 1 } }];
    const synced = await service.call('POST', `${path}/s1/messages/sync`, {
      as: 'agent',
      body: { worker_id: worker.id, messages },
    });
    expect(synced.body).toEqual({ synced: 1 });
    expect((await service.call('GET', `${path}/s1/messages`)).body.messages).toMatchObject([
      { message_id: 'm1', summary: 'did it' },
    ]);
    expect((await service.call('GET', `${path}/none`)).body.code).toBe('session_not_found');
    const resumed = await service.call('POST', `${path}/s1/resume`, { as: 'editor', body: { prompt: 'go on' } });
    expect(resumed).toMatchObject({ status: 201, body: { task: { conversation_id: 's1', codebase_id: id } } });
  });

  it('of a codebase that the worker does not hold are refused', async () => {
    const worker = await service.worker({ name: 'stranger' });
    const owner = await service.worker({ name: 'owner', codebases: [{ name: 'x', path: '/x' }] });
    const id = owner.registered.codebases[0]?.codebase_id;
    const body = { worker_id: worker.id, sessions: [] };
    const reply = await service.call('POST', `/v1/agent/codebases/${id}/sessions/sync`, { as: 'agent', body });
    expect(reply).toMatchObject({ status: 403, body: { code: 'codebase_not_bound' } });
  });
});

describe('workers and the monitor', () => {
  it('list workers in the long form and the short [core-2.7.12, core-2.7.13, core-2.7.14, core-4.4.7, core-4.5.2, core-1.11, core-1.3.2, choices-3.76]', async () => {
    await using own = await openService();
    const worker = await own.worker({ name: 'w', capabilities: ['gpu'], agents: ['codex'], slots: 3 });
    await own.task();
    const [held] = await worker.claim();
    if (held === undefined) throw new Error('nothing claimed');
    await worker.release(held, { status: 'completed' });
    const entry = {
      worker_id: worker.id,
      name: 'w',
      status: 'active',
      capabilities: ['gpu'],
      agents: ['codex'],
      slots: 3,
    };
    expect((await own.call('GET', '/v1/agent/workers')).body.workers).toMatchObject([{ ...entry, tasks_completed: 1 }]);
    expect((await own.call('GET', `/v1/agent/workers/${worker.id}`)).body.worker).toMatchObject(entry);
    expect((await own.call('GET', '/v1/agent/workers?capability=tpu')).body.workers).toEqual([]);
    expect((await own.call('GET', '/v1/monitor/workers')).body).toEqual({
      workers: [
        {
          id: worker.id,
          name: 'w',
          status: 'active',
          last_heartbeat: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          codebases: 1,
          tasks_completed: 1,
        },
      ],
      next_cursor: null,
    });
  });

  it('count what there is [choices-3.80]', async () => {
    await using own = await openService();
    const worker = await own.worker({ slots: 2 });
    await own.task();
    await own.task();
    await worker.claim();
    expect((await own.call('GET', '/v1/monitor/stats')).body).toEqual({
      tasks: { pending: 1, running: 1, needs_input: 0, completed: 0, failed: 0, cancelled: 0 },
      workers: { active: 1, offline: 0, slots: 2, busy: 1 },
      codebases: 1,
      oldest_pending_seconds: expect.any(Number),
    });
  });

  it('survive a restart of the service, codebases and sessions too [core-2.7.15]', async () => {
    await using own = await openService();
    const worker = await own.worker({ name: 'stays', codebases: [{ name: 'c', path: '/c' }] });
    const before = (await own.call('GET', '/v1/agent/codebases')).body;
    await own.restart();
    expect((await own.call('GET', `/v1/agent/workers/${worker.id}`)).body.worker.name).toBe('stays');
    expect((await own.call('GET', '/v1/agent/codebases')).body).toEqual(before);
  });
});
