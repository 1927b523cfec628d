// A paused agent and what can befall it: another word, a worker killed -9, a worker that stands still, a drain.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import {
  endLease,
  localWorker,
  outputOf,
  repository,
  script,
  taskIn,
  workerFolder,
  waitFor,
} from '../../../support/worker/local-worker.ts';
import { isAlive, haveExited, leavePids, pidsIn } from '../../../support/worker/left-processes.ts';
import { workerProcess } from '../../../support/worker/worker-process.ts';

/** Two that take long for what other tests show in part. */
const fullScale = process.env['SCALE'] === 'full';

let service: TestService;
beforeAll(async () => {
  service = await openService({ config: { leaseSeconds: 10 } });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

async function sendIntervention(taskId: string, action: string, message?: string): Promise<string> {
  const body = { task_id: taskId, action, ...(message !== undefined && { message }) };
  const reply = await service.call('POST', '/v1/monitor/intervene', { as: 'operator', body });
  expect(reply.status).toBe(202);
  return reply.body.intervention.id;
}

function settled(id: string): Promise<string> {
  return until('the worker’s word', async () => {
    const { status } = (await service.call('GET', `/v1/monitor/interventions/${id}`)).body.intervention;
    return ['queued', 'sent'].includes(status) ? undefined : status;
  });
}

const begun = (taskId: string): Promise<boolean> =>
  until('it has begun', async () => (await outputOf(service, taskId)).includes('begun'));

describe('a paused agent', () => {
  it.each(fullScale ? ['is paused twice as once, and one that goes on is resumed to no effect'] : [])(
    '%s',
    async () => {
      await using worker = await localWorker(service, { worker_name: 'twice' });
      const gate = join(worker.cwd, 'gate');
      const prompt = script('echo begun', waitFor(gate), 'echo done');
      const task = await service.task({ prompt, target_worker_id: worker.id });
      await begun(task.id);
      const actions = ['resume', 'pause', 'pause', 'resume', 'resume'];
      for (const action of actions) expect(await settled(await sendIntervention(task.id, action))).toBe('delivered');
      await writeFile(gate, '');
      expect(await taskIn(service, task.id, 'completed', 'failed')).toMatchObject({ status: 'completed', attempt: 1 });
    },
  );

  it('whose worker is killed -9 is begun anew and goes on; nothing stays stopped, and no message is lost', async () => {
    await using folder = await workerFolder();
    const cwd = await repository(join(folder.path, 'work'));
    const env = { A2A_WORKER_NAME: 'killed', A2A_WORKER_KILL_GRACE_SECONDS: '1' };
    const file = join(folder.path, 'pids');
    const again = `if [ -e ${file} ]; then echo "read $(cat)"; exit; fi`;
    const task = await service.task({ prompt: script(again, ...leavePids(file), 'echo begun', 'sleep 300') });
    let pids: number[];
    {
      await using killed = workerProcess(service, cwd, env);
      pids = await pidsIn(file);
      expect(await settled(await sendIntervention(task.id, 'pause'))).toBe('delivered');
      killed.signal('SIGKILL');
      await killed.ended;
    }
    const interventionIds = [await sendIntervention(task.id, 'message', 'Still there?')];
    await endLease(service, task.id);
    await taskIn(service, task.id, 'pending');
    interventionIds.push(await sendIntervention(task.id, 'message', 'And now?'));
    const refused = { as: 'operator', body: { task_id: task.id, action: 'resume' } } as const;
    expect((await service.call('POST', '/v1/monitor/intervene', refused)).body.code).toBe('task_not_running');
    await using _again = workerProcess(service, cwd, env);
    await haveExited(pids);
    expect(await taskIn(service, task.id, 'completed', 'failed')).toMatchObject({ status: 'completed', attempt: 2 });
    expect(await outputOf(service, task.id)).toContain('read Still there?\n\nAnd now?');
    for (const id of interventionIds) expect(await settled(id)).toBe('delivered');
  });

  it('whose worker stands still for longer than a lease goes to another one, and its own is ended when that wakes', async () => {
    await using folder = await workerFolder();
    const cwd = await repository(join(folder.path, 'work'));
    const file = join(folder.path, 'pids');
    const again = `if [ -e ${file} ]; then echo again; exit; fi`;
    const prompt = script(again, ...leavePids(file), 'echo begun', 'sleep 300');
    const task = await service.task({ prompt });
    await using still = workerProcess(service, cwd, { A2A_WORKER_NAME: 'still', A2A_WORKER_KILL_GRACE_SECONDS: '1' });
    const pids = await pidsIn(file);
    expect(await settled(await sendIntervention(task.id, 'pause'))).toBe('delivered');
    await using other = await localWorker(service, { worker_name: 'awake' });
    await still.standStill();
    const done = await taskIn(service, task.id, 'completed', 'failed');
    expect(done).toMatchObject({ status: 'completed', worker_id: other.id, attempt: 2 });
    expect(pids.every(isAlive)).toBe(true);
    still.signal('SIGCONT');
    await haveExited(pids);
    expect((await service.call('GET', `/v1/agent/tasks/${task.id}`)).body.task).toMatchObject({ status: 'completed' });
  });

  it.each(fullScale ? ['does not hold its worker up for longer than the drain time'] : [])('%s', async () => {
    await using folder = await workerFolder();
    const cwd = await repository(join(folder.path, 'work'));
    const env = { A2A_WORKER_NAME: 'drained', A2A_WORKER_DRAIN_SECONDS: '0.2', A2A_WORKER_KILL_GRACE_SECONDS: '1' };
    await using worker = workerProcess(service, cwd, env);
    const file = join(folder.path, 'pids');
    const task = await service.task({ prompt: script(...leavePids(file), 'echo begun', 'sleep 300') });
    const pids = await pidsIn(file);
    expect(await settled(await sendIntervention(task.id, 'pause'))).toBe('delivered');
    worker.signal('SIGTERM');
    expect(await worker.ended).toBe(0);
    expect(pids.some(isAlive)).toBe(false);
    expect(await taskIn(service, task.id, 'pending')).toMatchObject({ attempt: 0 });
    await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`, { body: {} });
  });
});
