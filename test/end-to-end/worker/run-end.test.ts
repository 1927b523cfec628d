// How runs end: cancelled, cut off, over a restart of the service, with answers lost; on the real service.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import {
  fetchThat,
  localWorker,
  outputOf,
  script,
  statusesOf,
  taskIn,
  waitFor,
} from '../../support/worker/local-worker.ts';
import { isAlive, haveExited, leavePids, pidsIn } from '../../support/worker/left-processes.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService({ config: { leaseSeconds: 10 } });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

describe('a run', () => {
  it('that is cancelled is killed with everything it has started, and its changes are kept [choices-5.10, choices-2.26]', async () => {
    await using local = await localWorker(service, { worker_name: 'cancel', kill_grace_seconds: 1 });
    const file = join(local.cwd, '..', 'pids');
    const task = await service.task({ prompt: script('echo half > half.txt', ...leavePids(file), 'sleep 300') });
    const pids = await pidsIn(file);
    expect(pids.every(isAlive)).toBe(true);
    await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`, { body: {} });
    await haveExited(pids);
    const diff = await until('the diff', async () => {
      const { body } = await service.call('GET', `/v1/agent/tasks/${task.id}/artifacts`);
      return body.artifacts.find(({ name }: { name: string }) => name === 'diff');
    });
    const { body } = await service.call('GET', `/v1/agent/tasks/${task.id}/artifacts/${diff.artifact_id}`);
    expect(body.artifact.text).toContain('half.txt');
    expect(await statusesOf(service, task.id)).toEqual(['pending', 'running', 'cancelled']);
  });

  it('frees its slot soon after it was cancelled', async () => {
    await using local = await localWorker(service, { worker_name: 'free', kill_grace_seconds: 1, poll_interval: 3600 });
    const file = join(local.cwd, '..', 'pids');
    const task = await service.task({ prompt: script(...leavePids(file), 'sleep 300') });
    await pidsIn(file);
    const next = await service.task({ prompt: script('true') });
    await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`, { body: {} });
    expect((await taskIn(service, next.id, 'completed')).attempt).toBe(1);
  });

  it('keeps all its output and its result over a restart of the service', async () => {
    // A lease that outlives a restart on a busy machine.
    await using patient = await openService({ config: { leaseSeconds: 60 } });
    await using local = await localWorker(patient, { worker_name: 'restart' });
    const gate = join(local.cwd, '..', 'gate');
    const lines = ['echo before', waitFor(gate), 'seq 1 2000', 'echo after'];
    const task = await patient.task({ prompt: script(...lines) });
    await until('output', async () => (await outputOf(patient, task.id)).includes('before'));
    const restarted = patient.restart();
    await writeFile(gate, '');
    await restarted;
    const done = await taskIn(patient, task.id, 'completed', 'failed');
    expect(done).toMatchObject({ status: 'completed', attempt: 1 });
    const numbers = Array.from({ length: 2000 }, (_, i) => `${i + 1}\n`).join('');
    expect(await outputOf(patient, task.id)).toContain(`before\n${numbers}after\n`);
    expect(await statusesOf(patient, task.id)).toEqual(['pending', 'running', 'completed']);
  });

  it('counts once when the answers to its reports and to its release are lost [choices-5.33, choices-5.34]', async () => {
    let lost = 0;
    const lossy = fetchThat((path) => /\/(events|release)$/.test(path) && ++lost % 2 === 1 && 'lost', 'after');
    await using _local = await localWorker(service, { worker_name: 'lossy' }, { fetch: lossy });
    const task = await service.task({ prompt: script('for i in 1 2 3 4 5; do echo $i; sleep 0.2; done') });
    expect((await taskIn(service, task.id, 'completed')).attempt).toBe(1);
    expect(await outputOf(service, task.id)).toBe('1\n2\n3\n4\n5\n');
    expect(await statusesOf(service, task.id)).toEqual(['pending', 'running', 'completed']);
    expect(lost).toBeGreaterThan(2);
  });

  it('is killed when its lease runs out unrenewed, and another worker does the task [choices-2.15]', async () => {
    let cut = false;
    const partition = fetchThat(() => cut && 'cut off');
    await using local = await localWorker(service, { worker_name: 'cut', kill_grace_seconds: 1 }, { fetch: partition });
    const file = join(local.cwd, '..', 'pids');
    const lines = [`if [ -e ${file} ]; then echo again; exit; fi`, ...leavePids(file), 'sleep 300'];
    const task = await service.task({ prompt: script(...lines) });
    const pids = await pidsIn(file);
    // Connections opened before the cut stay open: the push channel goes on to show that all is well.
    cut = true;
    await haveExited(pids);
    expect(local.logged()).toContain('lease lost');
    await using second = await localWorker(service, { worker_name: 'second' });
    const done = await taskIn(service, task.id, 'completed');
    expect(done).toMatchObject({ worker_id: second.id, attempt: 2 });
    cut = false;
  });

  it('is killed when the service says that its lease is another’s [choices-5.35]', async () => {
    await using local = await localWorker(service, { worker_name: 'robbed', kill_grace_seconds: 1 });
    const file = join(local.cwd, '..', 'pids');
    const task = await service.task({ prompt: script(...leavePids(file), 'sleep 300') });
    const pids = await pidsIn(file);
    await service.db.query(`update tasks set lease_token = gen_random_uuid() where id = $1`, [task.id]);
    await haveExited(pids);
    expect(local.logged()).toContain('lease lost');
    await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`, { body: {} });
  });
});
