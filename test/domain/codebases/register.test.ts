// Codebases: bound to a worker at once, or registered by path, which asks the workers.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AssignmentWire } from '../../../src/contracts/worker.ts';
import {
  openService,
  type ManualWorker,
  type TestService,
  type ApiReply,
  type TestUser,
} from '../../support/service.ts';
import { assertInvariants } from '../../support/database/invariants.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
/** Removes the workers and open tasks of the last test. */
afterEach(async () => {
  const { body } = await service.call('GET', '/v1/agent/tasks?status=pending');
  for (const task of body.tasks) await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`);
  await service.db.query('update workers set unregistered_at = now() where unregistered_at is null');
  await assertInvariants(service.db);
});
afterAll(() => service[Symbol.asyncDispose]());

const register = (body: Record<string, unknown>, as: TestUser = 'editor'): Promise<ApiReply> =>
  service.call('POST', '/v1/agent/codebases', { as, body: { name: 'app', path: '/src/app', ...body } });
let count = 0;
const bare = (name: string): Promise<ManualWorker> =>
  service.worker({ name: `${name} ${(count += 1)}`, codebases: [] });

async function claimOne(worker: ManualWorker): Promise<AssignmentWire> {
  const [held] = await worker.claim();
  if (held === undefined) throw new Error('nothing to claim');
  return held;
}

const decline = { status: 'pending', error: { code: 'path_not_found', message: 'not here' } };
const shown = async (id: string): Promise<ApiReply['body']> =>
  (await service.call('GET', `/v1/agent/tasks/${id}`)).body.task;

describe('a codebase with a worker_id', () => {
  it('is registered at once, with all of its fields [core-4.4.1, core-2.6.1, core-2.6.2, core-2.6.3, choices-3.55, choices-3.62]', async () => {
    const worker = await bare('one');
    const answer = await register({ worker_id: worker.id, description: 'an app', workspace_mode: 'in_place' }, 'agent');
    expect(answer).toMatchObject({
      status: 201,
      body: {
        codebase: {
          name: 'app',
          path: '/src/app',
          description: 'an app',
          worker_id: worker.id,
          status: 'active',
          workspace_mode: 'in_place',
          bindings: [{ worker_id: worker.id, path: '/src/app' }],
        },
      },
    });
    const { codebase_id: id } = answer.body.codebase;
    const rows = await service.db.query('select name, path from workspaces where codebase_id = $1', [id]);
    expect(rows).toEqual([{ name: 'app', path: '/src/app' }]);
  });

  it('has the published fields, is listed, read and removed [choices-3.48, choices-3.49, choices-3.66, choices-3.67]', async () => {
    const worker = await bare('one');
    const { body } = await register({ worker_id: worker.id }, 'agent');
    const path = `/v1/agent/codebases/${body.codebase.codebase_id}`;
    expect((await service.call('GET', `/v1/agent/codebases?worker_id=${worker.id}`)).body).toEqual({
      codebases: [body.codebase],
      next_cursor: null,
    });
    expect((await service.call('GET', path)).body).toEqual(body);
    expect(Object.keys(body.codebase)).toEqual(
      expect.arrayContaining(['codebase_id', 'name', 'path', 'description', 'worker_id', 'status', 'created_at']),
    );
    expect((await service.call('DELETE', path, { as: 'operator' })).status).toBe(403);
    expect(await service.call('DELETE', path)).toMatchObject({ status: 200, body });
    expect((await service.call('GET', path)).status).toBe(404);
  });

  it('is not removed while its tasks are open: they could not run any more', async () => {
    const worker = await bare('one');
    const { body } = await register({ worker_id: worker.id }, 'agent');
    const path = `/v1/agent/codebases/${body.codebase.codebase_id}`;
    const task = await service.task({ codebase_id: body.codebase.codebase_id });
    expect(await service.call('DELETE', path)).toMatchObject({ status: 409, body: { code: 'codebase_in_use' } });
    await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`);
    expect((await service.call('DELETE', path)).status).toBe(200);
  });

  it('that is known is bound to a second worker at its own path [choices-3.50]', async () => {
    const [one, two] = [await bare('one'), await bare('two')];
    const { body } = await register({ worker_id: one.id }, 'agent');
    const id = body.codebase.codebase_id;
    const again = await register({ worker_id: two.id, codebase_id: id, path: '/other' }, 'agent');
    expect(again.body.codebase).toMatchObject({ codebase_id: id, worker_id: null });
    const bindings = [
      { worker_id: one.id, path: '/src/app' },
      { worker_id: two.id, path: '/other' },
    ];
    expect(again.body.codebase.bindings).toEqual(expect.arrayContaining(bindings));
  });

  it('with an unknown id is 404, unless the id is global [choices-3.51, choices-3.52, core-2.6.5]', async () => {
    const worker = await bare('one');
    const unknown = { worker_id: worker.id, codebase_id: '01890000-0000-7000-8000-000000000000' };
    expect(await register(unknown, 'agent')).toMatchObject({ status: 404, body: { code: 'codebase_not_found' } });
    const global = await register({ worker_id: worker.id, codebase_id: 'global' }, 'operator');
    expect(global.body.codebase.codebase_id).toBe('global');
    const elsewhere = await service.worker({ name: 'there' }, 'other');
    expect(elsewhere.registered.codebases[0]).toMatchObject({ codebase_id: 'global', path: '/nowhere' });
    expect(elsewhere.registered.codebases[0]?.bindings).toHaveLength(1);
  });

  it('is refused for a worker that is not the caller’s, or does not exist [choices-3.54]', async () => {
    const worker = await bare('one');
    expect(await register({ worker_id: worker.id }, 'editor')).toMatchObject({
      status: 403,
      body: { code: 'not_owner' },
    });
    const nobody = '01890000-0000-7000-8000-000000000000';
    expect((await register({ worker_id: nobody }, 'agent')).body.code).toBe('worker_not_found');
    expect((await register({ worker_id: worker.id }, 'other')).body.code).toBe('worker_not_found');
  });
});

describe('a registration by path', () => {
  it('without a worker is 503 no_workers_available [core-3.4.6, choices-3.61]', async () => {
    const before = await service.db.query('select from tasks');
    const answer = await register({});
    expect(answer).toMatchObject({ status: 503, body: { code: 'no_workers_available' } });
    expect(answer.body.detail).toContain('No workers are available');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await service.db.query('select from tasks')).toEqual(before);
  });

  it('asks any worker, is bound by the one that has the path, and ends with the codebase_id [core-3.4.5, choices-3.56, choices-3.57, choices-3.58]', async () => {
    const worker = await bare('one');
    const registration = await register({ description: 'an app' });
    expect(registration).toMatchObject({ status: 202, body: { pending: true, message: expect.any(String) } });
    const held = await claimOne(worker);
    expect(held.task).toMatchObject({ id: registration.body.task_id, codebase_id: '__pending__', prompt: '/src/app' });
    const bound = await register({ worker_id: worker.id }, 'agent');
    const id = bound.body.codebase.codebase_id;
    expect((await worker.release(held, { status: 'completed', result: id })).status).toBe(200);
    expect(await shown(registration.body.task_id)).toMatchObject({ status: 'completed', result: id });
    const task = await service.task({ codebase_id: id });
    expect((await claimOne(worker)).task.id).toBe(task.id);
  });

  it('declined by one is offered to the others, each asked once; declined by all it fails [choices-3.59, choices-3.60]', async () => {
    const workers = [await bare('one'), await bare('two'), await bare('three')];
    const { task_id: taskId } = (await register({})).body;
    for (const worker of workers) {
      const held = await claimOne(worker);
      expect(held.task.id).toBe(taskId);
      const last = worker === workers.at(-1);
      const released = await worker.release(held, decline);
      expect(released).toMatchObject({ status: 200, body: { status: last ? 'failed' : 'pending' } });
      expect((await worker.release(held, decline)).body).toEqual(released.body);
      expect(await worker.claim()).toEqual([]);
      await service.db.query(`update task_holds set held_until = now() where held_until < 'infinity'`);
      expect(await worker.claim()).toEqual([]);
    }
    expect(await shown(taskId)).toMatchObject({ status: 'failed', attempt: 0, error: { code: 'path_not_found' } });
  });

  it('does not wait for workers that are offline or left, when the others declined', async () => {
    const [one, offline, gone] = [await bare('one'), await bare('offline'), await bare('gone')];
    const { task_id: taskId } = (await register({})).body;
    await service.db.query(`update workers set last_heartbeat_at = now() - interval '2 min' where worker_id = $1`, [
      offline.id,
    ]);
    await service.call('POST', `/v1/agent/workers/${gone.id}/unregister`, { as: 'agent', body: {} });
    await one.release(await claimOne(one), decline);
    expect(await shown(taskId)).toMatchObject({ status: 'failed', error: { code: 'path_not_found' } });
  });

  it('released without that reason is released like any other', async () => {
    const worker = await bare('one');
    const { task_id: taskId } = (await register({})).body;
    await worker.release(await claimOne(worker), { status: 'pending' });
    expect(await worker.claim()).toEqual([]);
    await service.db.query(`update task_holds set held_until = now() where held_until < 'infinity'`);
    expect((await claimOne(worker)).task.id).toBe(taskId);
  });

  it('ends by its deadline when no worker answers', async () => {
    await bare('one');
    const { task_id: taskId } = (await register({})).body;
    const deadline = Date.parse((await shown(taskId)).deadline_at) - Date.now();
    expect(deadline).toBeGreaterThan(8 * 60_000);
    expect(deadline).toBeLessThanOrEqual(10 * 60_000);
  });
});
