// Workers as processes of their own, on the real service: how they end by signal, and what a killed one leaves.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import {
  endLease,
  outputOf,
  repository,
  script,
  statusesOf,
  taskIn,
  workerFolder,
  waitFor,
} from '../../support/worker/local-worker.ts';
import { isAlive, haveExited, leavePids, pidsIn } from '../../support/worker/left-processes.ts';
import { workerProcess } from '../../support/worker/worker-process.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

async function unregistered(): Promise<string[]> {
  const { body } = await service.call('GET', '/v1/agent/workers?status=unregistered');
  return body.workers.map(({ name }: { name: string }) => name);
}

describe('a worker process', () => {
  it('drains on SIGTERM: finishes what runs, takes nothing more, unregisters and ends with 0 [choices-5.6]', async () => {
    await using folder = await workerFolder();
    const cwd = await repository(join(folder.path, 'work'));
    await using worker = workerProcess(service, cwd, { A2A_WORKER_NAME: 'drains' });
    const gate = join(folder.path, 'gate');
    const task = await service.task({ prompt: script('echo begun', waitFor(gate), 'echo ended') });
    await until('output', async () => (await outputOf(service, task.id)).includes('begun'));
    worker.signal('SIGTERM');
    await until('draining', () => worker.logged().includes('draining: no new tasks'));
    const lateTask = await service.task({ prompt: script('echo late') });
    await writeFile(gate, '');
    expect(await worker.ended).toBe(0);
    expect(await taskIn(service, task.id, 'completed')).toMatchObject({ attempt: 1 });
    expect(await outputOf(service, task.id)).toContain('ended');
    expect(await statusesOf(service, lateTask.id)).toEqual(['pending']);
    expect(await unregistered()).toContain('drains');
    await service.call('POST', `/v1/agent/tasks/${lateTask.id}/cancel`, { body: {} });
  });

  it('gives back what does not end within its drain time, without an attempt lost [choices-2.16]', async () => {
    await using folder = await workerFolder();
    const cwd = await repository(join(folder.path, 'work'));
    const env = { A2A_WORKER_NAME: 'impatient', A2A_WORKER_DRAIN_SECONDS: '0.2', A2A_WORKER_KILL_GRACE_SECONDS: '1' };
    await using worker = workerProcess(service, cwd, env);
    const file = join(folder.path, 'pids');
    const task = await service.task({ prompt: script(...leavePids(file), 'sleep 300') });
    const pids = await pidsIn(file);
    worker.signal('SIGINT');
    expect(await worker.ended).toBe(0);
    expect(pids.some(isAlive)).toBe(false);
    expect(await taskIn(service, task.id, 'pending')).toMatchObject({ attempt: 0 });
    await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`, { body: {} });
  });

  it('goes on when nobody reads its log any more', async () => {
    await using folder = await workerFolder();
    const cwd = await repository(join(folder.path, 'work'));
    await using worker = workerProcess(service, cwd, { A2A_WORKER_NAME: 'unread' });
    await until('it is there', () => worker.logged().includes('push channel open'));
    worker.stopReading();
    const task = await service.task({ prompt: script('echo done') });
    expect(await taskIn(service, task.id, 'completed')).toMatchObject({ attempt: 1 });
    worker.signal('SIGTERM');
    expect(await worker.ended).toBe(0);
    expect(await unregistered()).toContain('unread');
  });

  it('stops at once by a second signal', async () => {
    await using folder = await workerFolder();
    const cwd = await repository(join(folder.path, 'work'));
    const env = { A2A_WORKER_NAME: 'twice', A2A_WORKER_DRAIN_SECONDS: '3600', A2A_WORKER_KILL_GRACE_SECONDS: '1' };
    await using worker = workerProcess(service, cwd, env);
    const file = join(folder.path, 'pids');
    const task = await service.task({ prompt: script(...leavePids(file), 'sleep 300') });
    const pids = await pidsIn(file);
    worker.signal('SIGTERM');
    await until('draining', () => worker.logged().includes('draining'));
    expect(pids.every(isAlive)).toBe(true);
    worker.signal('SIGTERM');
    expect(await worker.ended).toBe(0);
    expect(pids.some(isAlive)).toBe(false);
    expect(await taskIn(service, task.id, 'pending')).toMatchObject({ attempt: 0 });
    await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`, { body: {} });
  });

  it('that was killed -9 is the same worker when it comes back, and ends what its former life left [choices-5.3]', async () => {
    await using folder = await workerFolder();
    const cwd = await repository(join(folder.path, 'work'));
    const env = { A2A_WORKER_NAME: 'reborn', A2A_WORKER_KILL_GRACE_SECONDS: '1' };
    const file = join(folder.path, 'pids');
    const lines = [`if [ -e ${file} ]; then echo again; exit; fi`, ...leavePids(file), 'sleep 300'];
    let pids: number[];
    let first: string | null;
    const task = await service.task({ prompt: script(...lines) });
    {
      await using killed = workerProcess(service, cwd, env);
      pids = await pidsIn(file);
      first = (await taskIn(service, task.id, 'running')).worker_id;
      killed.signal('SIGKILL');
      expect(await killed.ended).toBe('SIGKILL');
    }
    await endLease(service, task.id);
    expect(pids.every(isAlive)).toBe(true);
    await using _again = workerProcess(service, cwd, env);
    await haveExited(pids);
    const done = await taskIn(service, task.id, 'completed');
    expect(done).toMatchObject({ worker_id: first, attempt: 2 });
    expect(await outputOf(service, task.id)).toContain('again');
  });

  it('refuses to start beside another of its name on the same machine', async () => {
    await using folder = await workerFolder();
    const cwd = await repository(join(folder.path, 'work'));
    await using first = workerProcess(service, cwd, { A2A_WORKER_NAME: 'twin' });
    await until('the first is there', () => first.logged().includes('twin registered'));
    await using second = workerProcess(service, cwd, { A2A_WORKER_NAME: 'twin' });
    expect(await second.ended).toBe(6);
    expect(second.logged()).toContain('set another worker_name');
  });

  it('ends with 2 and one line when its token is wrong, and never prints it', async () => {
    await using folder = await workerFolder();
    const cwd = await repository(join(folder.path, 'work'));
    await using worker = workerProcess(service, cwd, { A2A_WORKER_NAME: 'wrong', SWITCHYARD_TOKEN: 'not-the-token' });
    expect(await worker.ended).toBe(2);
    expect(worker.logged()).toContain('401');
    expect(worker.logged()).not.toContain('not-the-token');
  });

  it('waits for a service that is not there yet', async () => {
    await using folder = await workerFolder();
    const cwd = await repository(join(folder.path, 'work'));
    await using worker = workerProcess(service, cwd, {
      A2A_SERVER_URL: 'http://127.0.0.1:9',
      A2A_WORKER_NAME: 'early',
    });
    await until('it tries', () => worker.logged().split('could not register; will retry').length > 2);
    worker.signal('SIGTERM');
    expect(await worker.ended).toBe(0);
  });
});
