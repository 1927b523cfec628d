// A real worker on the real service: it takes tasks by push and by poll, in as many slots as it has.
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

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

async function running(): Promise<number> {
  const [row] = await service.db.query<{ n: string }>(`select count(*) as n from tasks where status = 'running'`);
  return Number(row?.n);
}

/** Every task ran once and was never given back. */
async function straight(tasks: { id: string }[]): Promise<void> {
  for (const { id } of tasks) expect(await statusesOf(service, id)).toEqual(['pending', 'running', 'completed']);
}

describe('a worker', () => {
  it('takes a task by push, runs it and reports output, result and changes [core-1.2.2, choices-5.9, choices-5.31]', async () => {
    await using local = await localWorker(service, { poll_interval: 3600 });
    const task = await service.task({ prompt: script('echo hello', 'echo made > made.txt') });
    const done = await taskIn(service, task.id, 'completed', 'failed');
    expect(done).toMatchObject({ status: 'completed', error: null, worker_id: local.id, attempt: 1 });
    expect(await outputOf(service, task.id)).toContain('hello');
    const { body } = await service.call('GET', `/v1/agent/tasks/${task.id}/artifacts`);
    expect(body.artifacts.map(({ name }: { name: string }) => name)).toEqual(['diff', 'files', 'branch']);
  });

  it('runs as many tasks at once as it has slots, and never one more', async () => {
    await using local = await localWorker(service, { slots: 3, poll_interval: 3600 });
    const gate = join(local.cwd, '..', 'gate');
    const prompt = script(waitFor(gate));
    const tasks = await Promise.all(Array.from({ length: 9 }, () => service.task({ prompt })));
    await until('three running', async () => (await running()) === 3);
    const waiting = await service.call('GET', '/v1/agent/tasks?status=pending');
    expect(waiting.body.tasks.map((task: { waiting_reason: string }) => task.waiting_reason)).toEqual(
      Array.from({ length: 6 }, () => 'workers_busy'),
    );
    await writeFile(gate, '');
    for (const { id } of tasks) await taskIn(service, id, 'completed');
    await straight(tasks);
    expect(local.logged()).not.toContain('no free slot');
  });

  it('polls while there is no push channel [core-6.3.2]', async () => {
    const noStream = fetchThat((path) => path.endsWith('/tasks/stream') && 'no way through');
    await using _local = await localWorker(service, { poll_interval: 0.1 }, { fetch: noStream });
    const first = await service.task({ prompt: script('echo one') });
    await taskIn(service, first.id, 'completed');
    const second = await service.task({ prompt: script('echo two') });
    expect((await taskIn(service, second.id, 'completed')).attempt).toBe(1);
    await straight([first, second]);
  });

  it('goes on with all its slots after the service was restarted under its runs', async () => {
    await using local = await localWorker(service, { slots: 2, poll_interval: 0.2 });
    const gate = join(local.cwd, '..', 'gate');
    const before = await Promise.all(
      [1, 2].map((n) => service.task({ prompt: script('echo begun', waitFor(`${gate}-${n}`)) })),
    );
    for (const { id } of before) await until('output', async () => (await outputOf(service, id)).includes('begun'));
    const queued = await Promise.all(
      [3, 4, 5].map((n) => service.task({ prompt: script('echo begun', waitFor(`${gate}-${n}`)) })),
    );
    await service.restart();
    await until('the channel is back', () => local.logged().split('push channel open').length > 2);
    expect(await running()).toBe(2);
    for (const n of [1, 2, 3, 4, 5]) await writeFile(`${gate}-${n}`, '');
    for (const { id } of [...before, ...queued]) await taskIn(service, id, 'completed');
    const after = await Promise.all([6, 7].map((n) => service.task({ prompt: script(waitFor(`${gate}-${n}`)) })));
    await until('both slots busy', async () => (await running()) === 2);
    for (const n of [6, 7]) await writeFile(`${gate}-${n}`, '');
    for (const { id } of after) await taskIn(service, id, 'completed');
    await straight([...before, ...queued, ...after]);
    expect(local.logged()).not.toContain('no free slot');
  });

  it('binds a folder that a caller registers by path, and works in it at once [choices-3.57, choices-3.58]', async () => {
    await using local = await localWorker(service);
    const reply = await service.call('POST', '/v1/agent/codebases', {
      body: { name: 'sources', path: join(local.cwd, '.git', '..') },
    });
    expect(reply.status).toBe(202);
    const registered = await taskIn(service, reply.body.task_id, 'completed');
    const { codebase_id }: { codebase_id: string } = JSON.parse(registered.result ?? '');
    const task = await service.task({ codebase_id, prompt: script('echo inside') });
    await taskIn(service, task.id, 'completed');
    expect(await outputOf(service, task.id)).toContain('inside');
  });

  it('declines a path that is not a folder here, so that the registration fails [choices-3.59, choices-3.60]', async () => {
    await using _local = await localWorker(service);
    const body = { name: 'nowhere', path: '/no/such/folder' };
    const reply = await service.call('POST', '/v1/agent/codebases', { body });
    const failed = await taskIn(service, reply.body.task_id, 'failed');
    expect(failed.error?.code).toBe('path_not_found');
  });
});
