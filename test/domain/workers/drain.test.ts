// Drained workers: nothing more is given to them, what they run goes on, and a registration ends the drain.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../../../src/cli/core/exit-codes.ts';
import { openStream } from '../../support/client/sse.ts';
import { command } from '../../support/process/cli-io.ts';
import {
  openService,
  type ApiReply,
  type ManualWorker,
  type TestService,
  type TestUser,
} from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

const drain = (id: string, as: TestUser = 'operator'): Promise<ApiReply> =>
  service.call('POST', `/v1/agent/workers/${id}/drain`, { as, body: {} });

/** A worker with a codebase of its own, so that no other may take its tasks. */
async function workerWith(
  name: string,
): Promise<{ worker: ManualWorker; codebaseId: string; again: () => Promise<ManualWorker> }> {
  const codebases = [{ name, path: `/${name}` }];
  const again = (): Promise<ManualWorker> => service.worker({ name, codebases, slots: 4 });
  const worker = await again();
  return { worker, again, codebaseId: worker.registered.codebases[0]?.codebase_id ?? '' };
}

describe('a drained worker', () => {
  it('is given nothing more by a claim, and keeps what it runs [ui-6.15.1]', async () => {
    const { worker, codebaseId } = await workerWith('claiming');
    const [held] = [await service.task({ codebase_id: codebaseId })];
    const [assignment] = await worker.claim(1, held.id);
    if (assignment === undefined) throw new Error('not claimed');
    const drained = await drain(worker.id);
    expect(drained).toMatchObject({ status: 200, body: { worker: { worker_id: worker.id, running: 1 } } });
    expect(Date.parse(drained.body.worker.drained_at)).not.toBeNaN();
    const waiting = await service.task({ codebase_id: codebaseId });
    expect(await worker.claim(4)).toEqual([]);
    const named = await service.call('POST', '/v1/worker/tasks/claim', {
      as: 'agent',
      body: { worker_id: worker.id, task_id: waiting.id },
    });
    expect(named).toMatchObject({ status: 409, body: { code: 'task_not_for_worker' } });
    const heartbeat = await worker.heartbeat([assignment], 3);
    expect(heartbeat.body).toMatchObject({
      renewed: [{ task_id: held.id }],
      lost: [],
      cancel: [],
      tasks_waiting: false,
    });
    expect((await worker.release(assignment, { status: 'completed' })).status).toBe(200);
    const { body } = await service.call('GET', `/v1/agent/tasks/${waiting.id}`);
    expect(body.task).toMatchObject({ status: 'pending', waiting_reason: 'worker_offline' });
    // A repeat keeps the time of the first.
    expect((await drain(worker.id)).body.worker.drained_at).toBe(drained.body.worker.drained_at);
  });

  it('is assigned nothing on its channel; another worker is, and itself again once it registers anew [ui-6.15.1, ui-6.15.2]', async () => {
    const { worker, codebaseId, again } = await workerWith('connected');
    const other = await service.worker({
      name: 'other one',
      codebases: [{ codebase_id: codebaseId, name: 'connected', path: '/elsewhere' }],
    });
    await using one = await openStream(service, `/v1/worker/tasks/stream?worker_id=${worker.id}&slots=4`, {
      as: 'agent',
    });
    await one.take('connected');
    await drain(worker.id);
    await using two = await openStream(service, `/v1/worker/tasks/stream?worker_id=${other.id}&slots=1`, {
      as: 'agent',
    });
    await two.take('connected');
    const given = await service.task({ codebase_id: codebaseId });
    expect((await two.take('task_assigned')).data.task.id).toBe(given.id);
    const waiting = await service.task({ codebase_id: codebaseId });
    expect(await worker.claim(1)).toEqual([]);
    expect(one.frames.map(({ event }) => event)).not.toContain('task_assigned');
    expect((await again()).registered.worker).toMatchObject({ worker_id: worker.id, drained_at: null });
    expect((await one.take('task_assigned')).data.task.id).toBe(waiting.id);
  });

  it('of another credential needs the role operator; an unknown or unregistered one is missing [ui-6.15.3]', async () => {
    const { worker } = await workerWith('owned');
    const foreign = await service.worker({ name: 'of the operator' }, 'operator');
    expect(await drain(foreign.id, 'agent')).toMatchObject({ status: 403, body: { code: 'not_owner' } });
    expect(await drain(worker.id, 'editor')).toMatchObject({ status: 403 });
    expect(await drain(worker.id, 'other')).toMatchObject({ status: 404 });
    expect(await drain(worker.id, 'agent')).toMatchObject({ status: 200 });
    await service.call('POST', `/v1/agent/workers/${worker.id}/unregister`, { as: 'operator', body: {} });
    expect(await drain(worker.id)).toMatchObject({ status: 404 });
  });

  it('is drained by the command line, by its id [ui-6.15.6]', async () => {
    const { worker } = await workerWith('by hand');
    const env = { SWITCHYARD_URL: service.url, SWITCHYARD_TOKEN: service.token('operator') };
    const outcome = await command(['worker', 'drain', worker.id], { env });
    expect(outcome).toMatchObject({ code: exitCodes.ok, out: `drained ${worker.id}  by hand, 0 running\n` });
    const shown = await service.call('GET', `/v1/agent/workers/${worker.id}`);
    expect(shown.body.worker.drained_at).not.toBeNull();
    const json = await command(['worker', 'drain', worker.id, '--json'], { env });
    expect(JSON.parse(json.out).worker.worker_id).toBe(worker.id);
    const missing = await command(['worker', 'drain', '01890000-0000-7000-8000-000000000000'], { env });
    expect(missing.code).toBe(exitCodes.notFound);
  });
});

it('a registration says which agents are missing and why, the free disk and the system [ui-6.15.4]', async () => {
  const agents_missing = [{ name: 'codex', reason: 'no such program is on the PATH' }];
  const { id } = await service.worker({ name: 'telling', agents_missing, disk_free: 5_000_000_000, os: 'Linux 6.8' });
  const shown = await service.call('GET', `/v1/agent/workers/${id}`, { as: 'viewer' });
  expect(shown.body.worker).toMatchObject({
    agents_missing,
    disk_free: 5_000_000_000,
    os: 'Linux 6.8',
    drained_at: null,
  });
  const silent = await service.worker({ name: 'silent' });
  expect(silent.registered.worker).toMatchObject({ agents_missing: [], disk_free: null, os: '' });
  const body = { name: 'bad', agents_missing: [{ name: 'codex' }] };
  expect(await service.call('POST', '/v1/agent/workers/register', { as: 'agent', body })).toMatchObject({
    status: 400,
  });
});
