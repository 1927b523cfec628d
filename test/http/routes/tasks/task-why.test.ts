// Why a task waits, worker by worker. ui-6.7.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TaskWhyWire } from '../../../../src/contracts/task.ts';
import { openService, type ManualWorker, type TestService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { command } from '../../../support/process/cli-io.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

let workers = 0;
async function holder(profile: Record<string, unknown> = {}): Promise<{ worker: ManualWorker; codebaseId: string }> {
  workers += 1;
  const name = `holder ${workers}`;
  const worker = await service.worker({ name, codebases: [{ name, path: `/${workers}` }], ...profile });
  return { worker, codebaseId: worker.registered.codebases[0]?.codebase_id ?? '' };
}

async function why(taskId: string) {
  const reply = await service.call('GET', `/v1/agent/tasks/${taskId}/why`, { as: 'viewer' });
  expect(reply.status).toBe(200);
  return reply.body;
}

const of = (body: TaskWhyWire, worker: ManualWorker) => body.workers.find(({ worker_id }) => worker_id === worker.id);

describe('why a task waits', () => {
  it('names the obstacle of each worker, the tasks ahead and the remedy [ui-6.7.1]', async () => {
    const { worker, codebaseId } = await holder({ slots: 1, capabilities: ['gpu'] });
    const { worker: stranger } = await holder();
    const running = await service.task({ codebase_id: codebaseId });
    const [held] = await worker.claim(1, running.id);
    expect(held?.task.id).toBe(running.id);
    await service.task({ codebase_id: codebaseId, priority: 5 });
    await service.task({ codebase_id: codebaseId, required_capabilities: ['gpu'] });
    const last = await service.task({ codebase_id: codebaseId });
    await service.task({ codebase_id: codebaseId });
    await service.task({ codebase_id: codebaseId, target_agent: 'nobody', priority: 9 });
    const busy = await why(last.id);
    expect(busy).toMatchObject({ reason: 'workers_busy', ahead: 2 });
    expect(busy.remedy).toBe(
      'Wait until a slot is free, or start another worker: `switchyard worker --codebase FOLDER`.',
    );
    expect(of(busy, worker)).toMatchObject({
      can: false,
      because: 'slots_full',
      at: null,
      name: expect.stringContaining('holder'),
    });
    expect(of(busy, stranger)).toMatchObject({ can: false, because: 'no_codebase' });
    // The worker that is nearest to the task stands first.
    expect(busy.workers[0].worker_id).toBe(worker.id);
  });

  it('says not_targeted, no_capability, offline_since and held_back_until [ui-6.7.1]', async () => {
    const { worker, codebaseId } = await holder({ slots: 9 });
    const untargeted = await service.task({ codebase_id: codebaseId, target_agent: 'somebody else' });
    expect(of(await why(untargeted.id), worker)).toMatchObject({ can: false, because: 'not_targeted' });
    const gpu = await service.task({ codebase_id: codebaseId, required_capabilities: ['gpu'] });
    expect(of(await why(gpu.id), worker)).toMatchObject({ can: false, because: 'no_capability' });
    const plain = await service.task({ codebase_id: codebaseId });
    expect(of(await why(plain.id), worker)).toMatchObject({ can: true, because: null, at: null });
    const [held] = await worker.claim(1, plain.id);
    if (held === undefined) throw new Error('not claimed');
    await worker.release(held, { status: 'pending' });
    const heldBack = await why(plain.id);
    expect(heldBack.reason).toBe('held_back');
    const hold = of(heldBack, worker);
    expect(hold).toMatchObject({ can: false, because: 'held_back_until', at: expect.stringMatching(/Z$/) });
    await service.db.query(`update workers set last_heartbeat_at = '2026-01-02T03:04:05Z' where worker_id = $1`, [
      worker.id,
    ]);
    // The cache of workers sees it within two seconds.
    const offline = await until('the worker offline', async () => {
      const verdict = of(await why(plain.id), worker);
      return verdict?.because === 'offline_since' ? verdict : undefined;
    });
    expect(offline).toMatchObject({ can: false, at: '2026-01-02T03:04:05.000Z' });
  });

  it('says what to do with a task that does not wait [ui-6.7.1]', async () => {
    const task = await service.task();
    await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`, { body: {} });
    expect(await why(task.id)).toEqual({
      reason: null,
      ahead: 0,
      workers: [],
      remedy: `It is cancelled; to do it again, retry it: \`switchyard task retry ${task.id}\`.`,
    });
  });

  it('answers a foreign task as a missing one [ui-6.7.1]', async () => {
    const task = await service.task();
    const foreign = await service.call('GET', `/v1/agent/tasks/${task.id}/why`, { as: 'other' });
    expect(foreign).toMatchObject({ status: 404, body: { code: 'task_not_found' } });
  });

  it('explains a draft, every field optional, and creates nothing [ui-6.7.3]', async () => {
    const { worker, codebaseId } = await holder();
    const draft = (body: object) => service.call('POST', '/v1/agent/tasks/why', { as: 'viewer', body });
    const counts = async () => (await service.call('GET', '/v1/monitor/counts')).body;
    const before = await counts();
    expect((await draft({})).body).toMatchObject({ reason: 'no_codebase', ahead: 0 });
    const possible = (await draft({ codebase_id: codebaseId, prompt: 'p', agent_type: 'codex', metadata: {} })).body;
    expect(possible).toMatchObject({ reason: 'claimable', ahead: 0 });
    expect(of(possible, worker)).toMatchObject({ can: true, because: null });
    expect((await draft({ codebase_id: codebaseId, required_capabilities: ['gpu'] })).body.reason).toBe(
      'no_worker_with_capability',
    );
    const wrong = await draft({ codebase_id: codebaseId, colour: 'red' });
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: '/colour' }] } });
    expect(await counts()).toEqual(before);
  });
});

describe('the command task why', () => {
  it('prints the reason, the workers and the remedy [ui-6.7.4]', async () => {
    const { worker, codebaseId } = await holder();
    const task = await service.task({ codebase_id: codebaseId, required_capabilities: ['gpu'] });
    const env = { SWITCHYARD_URL: service.url, SWITCHYARD_TOKEN: service.token('viewer') };
    const outcome = await command(['task', 'why', task.id], { env });
    expect(outcome).toMatchObject({ code: 0, err: '' });
    expect(outcome.out).toMatch(/^no_worker_with_capability\n/);
    expect(outcome.out).toContain(worker.id);
    expect(outcome.out).toContain('no_capability');
    expect(outcome.out).toMatch(/Start a worker with these capabilities: `switchyard worker .*`\.\n$/);
    const json = await command(['task', 'why', task.id, '--json'], { env });
    expect(JSON.parse(json.out)).toMatchObject({ reason: 'no_worker_with_capability' });
  });
});
