// A worker whose service is away when its work is done, and that dies itself then: what it made still arrives, or is kept.
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { openConnectionGate, type ConnectionGate } from '../../support/worker/connection-gate.ts';
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
import { workerProcess, type WorkerProcess } from '../../support/worker/worker-process.ts';

interface SpoolFixture extends AsyncDisposable {
  service: TestService;
  gate: ConnectionGate;
  folder: string;
  start: () => WorkerProcess;
  /** The files of the spool, or of `dead` in it. */
  spool: (...path: string[]) => Promise<string[]>;
}

async function openSpoolFixture(): Promise<SpoolFixture> {
  const stack = new AsyncDisposableStack();
  const service = stack.use(await openService());
  const gate = stack.use(await openConnectionGate(service.url));
  const { path: folder } = stack.use(await workerFolder());
  const cwd = await repository(join(folder, 'work'));
  const env = { A2A_WORKER_NAME: 'far', A2A_SERVER_URL: gate.url, DATA_DIR: join(folder, 'data') };
  return {
    service,
    gate,
    folder,
    start: () => workerProcess(service, cwd, { ...env, A2A_WORKER_KILL_GRACE_SECONDS: '1' }),
    async spool(...path) {
      const place = join(folder, 'data/workers/far/spool', ...path);
      return existsSync(place) ? (await readdir(place)).filter((name) => name.endsWith('.json')) : [];
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** A task that ends while the line is cut, and whose worker is killed once it has written down what it owes. */
async function endInTheDark({ service, gate, folder, start, spool }: SpoolFixture): Promise<string> {
  const socketPath = join(folder, 'socket');
  const once = `[ -e ${folder}/again ] || { touch ${folder}/again; ${waitFor(socketPath)}; }`;
  const task = await service.task({ prompt: script('echo begun', once, 'echo made > made.txt', 'echo ended') });
  await using worker = start();
  await until('output', async () => (await outputOf(service, task.id)).includes('begun'));
  gate.cut();
  await writeFile(socketPath, '');
  await until('the spool', async () => (await spool()).length > 0);
  await until('the result in it', async () => {
    const [name = ''] = await spool();
    return (await readFile(join(folder, 'data/workers/far/spool', name), 'utf8')).includes('"status":"completed"');
  });
  worker.signal('SIGKILL');
  expect(await worker.ended).toBe('SIGKILL');
  return task.id;
}

// Each has a service, a worker and a folder of its own, and waits most of its time.
describe.concurrent('a result that could not be delivered', () => {
  it('is delivered under the old lease by the next start of a worker that was killed -9', async () => {
    await using fixture = await openSpoolFixture();
    const { service, gate } = fixture;
    const taskId = await endInTheDark(fixture);
    expect(await statusesOf(service, taskId)).toEqual(['pending', 'running']);
    gate.mend();
    await using again = fixture.start();
    expect(await taskIn(service, taskId, 'completed')).toMatchObject({ attempt: 1 });
    expect((await outputOf(service, taskId)).split('ended')).toHaveLength(2);
    const { body } = await service.call('GET', `/v1/agent/tasks/${taskId}/artifacts`);
    expect(body.artifacts.map(({ name }: { name: string }) => name).toSorted()).toEqual(['branch', 'diff', 'files']);
    expect(await statusesOf(service, taskId)).toEqual(['pending', 'running', 'completed']);
    await until('an empty spool', async () => (await fixture.spool()).length === 0);
    expect(again.logged()).toContain('replaying the spool');
  });

  it('is kept with the reason when the task went to another attempt meanwhile', async () => {
    await using fixture = await openSpoolFixture();
    const { service, gate } = fixture;
    const taskId = await endInTheDark(fixture);
    await endLease(service, taskId);
    await taskIn(service, taskId, 'pending');
    gate.mend();
    await using again = fixture.start();
    expect(await taskIn(service, taskId, 'completed')).toMatchObject({ attempt: 2 });
    await until('it is set aside', async () => (await fixture.spool('dead')).length === 1);
    const [name = ''] = await fixture.spool('dead');
    const dead = await readFile(join(fixture.folder, 'data/workers/far/spool/dead', name), 'utf8');
    expect(JSON.parse(dead)).toMatchObject({ task_id: taskId, reason: expect.stringContaining('lease_lost') });
    expect(dead).toContain('+made');
    expect(await fixture.spool()).toEqual([]);
    expect(again.logged()).toContain('moved it to the dead letters');
  });

  it('waits on the disk when the worker is stopped before the service is back', async () => {
    await using fixture = await openSpoolFixture();
    const { service, gate, folder } = fixture;
    const socketPath = join(folder, 'socket');
    const task = await service.task({ prompt: script('echo begun', waitFor(socketPath), 'echo made > made.txt') });
    {
      await using worker = fixture.start();
      await until('output', async () => (await outputOf(service, task.id)).includes('begun'));
      gate.cut();
      worker.signal('SIGTERM');
      await until('draining', () => worker.logged().includes('draining'));
      worker.signal('SIGTERM');
      expect(await worker.ended).toBe(0);
    }
    expect(await fixture.spool()).toHaveLength(1);
    await writeFile(socketPath, '');
    gate.mend();
    await using _again = fixture.start();
    // The work was ended with the worker: the task is given back at once, without an attempt lost.
    const pending = await until('it was given back', async () => (await statusesOf(service, task.id)).at(2));
    expect(pending).toBe('pending');
    await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`, { body: {} });
  });
});
