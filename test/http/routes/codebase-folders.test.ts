// The folders that callers may name on workers, the right to change whom a codebase goes to, and the path in an assignment.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

type As = 'operator' | 'agent' | 'editor';
const bind = (body: Record<string, unknown>, as: As): ReturnType<TestService['call']> =>
  service.call('POST', '/v1/agent/codebases', { as, body: { name: 'repo', path: '/srv/app', ...body } });

async function workerWith(codebase_roots: string[] | undefined, name: string, as: As = 'agent') {
  const body = { name, ...(codebase_roots === undefined ? {} : { codebase_roots }) };
  const reply = await service.call('POST', '/v1/agent/workers/register', { as, body });
  expect(reply.status).toBe(200);
  return { id: reply.body.worker.worker_id as string };
}

describe('a path that is named over the API', () => {
  it('below explicit roots needs codebases:write alone, and no agent’s right to another’s worker [choices-3.133]', async () => {
    const { id } = await workerWith(['/srv'], 'explicit', 'operator');
    expect((await bind({ worker_id: id }, 'editor')).status).toBe(201);
    expect((await bind({ worker_id: id, path: '/srv/of-agent' }, 'agent')).body.code).toBe('not_owner');
  });

  it.each(['/etc', '/srv/../etc', '/srvice', '/', 'srv/app'])(
    'is refused at once outside of the roots: %s, to operators too [choices-3.132]',
    async (path) => {
      const { id } = await workerWith(['/srv'], 'outside');
      for (const as of ['editor', 'operator', 'agent'] as const) {
        const { status, body } = await bind({ worker_id: id, path }, as);
        expect([status, body.code]).toEqual([409, 'path_not_allowed']);
        expect(body.detail).toContain('A2A_WORKER_CODEBASE_ROOTS');
      }
    },
  );

  it('is refused by a worker that opens nothing [choices-3.132]', async () => {
    const { id } = await workerWith([], 'closed');
    expect((await bind({ worker_id: id }, 'operator')).body.code).toBe('path_not_allowed');
  });

  it('where all folders are open needs an operator or the worker’s own credential [choices-3.133]', async () => {
    const { id } = await workerWith(['*'], 'open');
    expect((await bind({ worker_id: id }, 'editor')).body.code).toBe('not_owner');
    expect((await bind({ worker_id: id, path: '/a' }, 'agent')).status).toBe(201);
    expect((await bind({ worker_id: id, path: '/b' }, 'operator')).status).toBe(201);
  });

  it('names the caller to the workers that are asked [choices-3.133]', async () => {
    const { id } = await workerWith(['*'], 'asked');
    const named = async (as: As) => {
      const { body } = await bind({ path: `/asked/${as}` }, as);
      const { task } = (await service.call('POST', `/v1/agent/tasks/${body.task_id}/cancel`)).body;
      return task.metadata.registration.named_by;
    };
    expect(await named('editor')).toEqual({ operator: false, worker_ids: [] });
    expect(await named('operator')).toMatchObject({ operator: true });
    expect((await named('agent')).worker_ids).toContain(id);
  });
});

describe('a codebase of somebody else', () => {
  it('that is kept for one worker is bound to another by its owner or an operator alone [choices-3.135]', async () => {
    const owners = await workerWith(undefined, 'owners', 'operator');
    const { codebase_id } = (await bind({ worker_id: owners.id }, 'operator')).body.codebase;
    const own = await workerWith(undefined, 'taker');
    const taken = await bind({ codebase_id, worker_id: own.id }, 'agent');
    expect([taken.status, taken.body.code]).toEqual([403, 'not_owner']);
    const task = await service.task({ codebase_id });
    expect(
      (await service.call('POST', '/v1/worker/tasks/claim', { as: 'agent', body: { worker_id: own.id } })).body,
    ).toEqual({ tasks: [] });
    expect((await bind({ codebase_id, worker_id: own.id }, 'operator')).body.codebase.bindings).toHaveLength(2);
    await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`);
  });

  it('is not taken over by asking for it by path either [choices-3.135]', async () => {
    const owners = await workerWith(undefined, 'owners-by-path', 'operator');
    const { codebase_id } = (await bind({ worker_id: owners.id, path: '/by-path' }, 'operator')).body.codebase;
    expect((await bind({ codebase_id, path: '/by-path' }, 'editor')).body.code).toBe('not_owner');
    expect((await bind({ codebase_id: 'global', path: '/by-path' }, 'editor')).body.code).toBe('not_owner');
  });

  it('global is kept for one worker by operators alone, by a binding or a registration [choices-3.135]', async () => {
    await using own = await openService();
    const exclusive = { name: 'w', codebases: [{ codebase_id: 'global', name: 'g', path: '/g', exclusive: true }] };
    const refused = await own.call('POST', '/v1/agent/workers/register', { as: 'agent', body: exclusive });
    expect([refused.status, refused.body.code]).toEqual([403, 'not_owner']);
    const shared = { name: 'w', codebases: [{ codebase_id: 'global', name: 'g', path: '/g' }] };
    const { worker } = (await own.call('POST', '/v1/agent/workers/register', { as: 'agent', body: shared })).body;
    const body = { codebase_id: 'global', name: 'g', path: '/g', worker_id: worker.worker_id };
    for (const as of ['agent', 'editor'] as const) {
      expect((await own.call('POST', '/v1/agent/codebases', { as, body })).status).toBe(403);
    }
    expect((await own.call('GET', '/v1/agent/codebases/global')).body.codebase.worker_id).toBeNull();
    expect((await own.call('POST', '/v1/agent/codebases', { as: 'operator', body })).status).toBe(201);
  });

  it('belongs to whoever asked for it by path, and not to the worker that answered', async () => {
    const { id } = await workerWith(['/srv'], 'answers');
    const registration = await bind({ name: 'by-path', path: '/srv/by-path' }, 'editor');
    const claim = { worker_id: id, task_id: registration.body.task_id };
    const claimed = await service.call('POST', '/v1/worker/tasks/claim', { as: 'agent', body: claim });
    expect(claimed.body.tasks[0].codebase).toBeUndefined();
    const answer = await bind({ name: 'by-path', path: '/srv/by-path', worker_id: id }, 'agent');
    expect(answer.body.codebase).toMatchObject({ created_by: 'token:editor', worker_id: id });
  });
});

describe('an assignment', () => {
  it('says where its worker has the codebase, bound a moment ago by somebody else [choices-3.136]', async () => {
    const { id } = await workerWith(['/srv'], 'assigned');
    const { codebase_id } = (await bind({ worker_id: id, path: '/srv/a', workspace_mode: 'in_place' }, 'editor')).body
      .codebase;
    const task = await service.task({ codebase_id });
    const { tasks } = (await service.call('POST', '/v1/worker/tasks/claim', { as: 'agent', body: { worker_id: id } }))
      .body;
    expect(tasks).toMatchObject([
      { task: { id: task.id }, codebase: { codebase_id, path: '/srv/a', workspace_mode: 'in_place' } },
    ]);
  });

  it.each(['unknown_codebase', 'path_not_allowed'])(
    'that its worker gives back with %s is not offered to it again, until what it serves changes [choices-3.138]',
    async (code) => {
      const { id } = await workerWith(['/srv'], `refuses-${code}`);
      const { codebase_id } = (await bind({ worker_id: id, path: `/srv/${code}` }, 'editor')).body.codebase;
      const { id: taskId } = await service.task({ codebase_id });
      const claim = async () =>
        (await service.call('POST', '/v1/worker/tasks/claim', { as: 'agent', body: { worker_id: id } })).body.tasks;
      const [{ lease_token }] = await claim();
      const release = { lease_token, status: 'pending', error: { code, message: 'not served' } };
      const path = `/v1/worker/tasks/${taskId}/release`;
      expect((await service.call('POST', path, { as: 'agent', body: release })).status).toBe(200);
      // As after half a minute, or a year.
      await service.db.query(`update task_holds set held_until = held_until - interval '1 year' where task_id = $1`, [
        taskId,
      ]);
      expect(await claim()).toEqual([]);
      const waiting = (await service.call('GET', `/v1/agent/tasks/${taskId}`)).body.task;
      expect(waiting.waiting_reason).toBe('refused_by_worker');
      await workerWith(['/srv', '/more'], `refuses-${code}`);
      expect(await claim()).toHaveLength(1);
    },
  );
});

describe('a name that another credential registered first', () => {
  it('is not targeted at those who take it later, as a name or as an agent [choices-3.139]', async () => {
    await using own = await openService();
    const register = async (as: 'agent' | 'operator', profile: Record<string, unknown>): Promise<string> => {
      const codebases = [{ codebase_id: 'global', name: 'g', path: '/g' }];
      const body = { codebases, ...profile };
      return (await own.call('POST', '/v1/agent/workers/register', { as, body })).body.worker.worker_id;
    };
    const takers = [await register('agent', { name: 'other', agents: ['deployer'] })];
    const owner = await register('operator', { name: 'deployer' });
    takers.push(await register('agent', { name: 'deployer' }));
    const { id } = await own.task({ codebase_id: 'global', target_agent: 'deployer' });
    for (const worker_id of takers) {
      expect(
        (await own.call('POST', '/v1/worker/tasks/claim', { as: 'agent', body: { worker_id } })).body.tasks,
      ).toEqual([]);
    }
    const claimed = await own.call('POST', '/v1/worker/tasks/claim', { as: 'operator', body: { worker_id: owner } });
    expect(claimed.body.tasks).toMatchObject([{ task: { id } }]);
  });
});
