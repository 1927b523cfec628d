// Workers that go and come back: silent for hours, moved to another replica, replaced, stopped. core-2.7.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { until } from '../support/until.ts';
import { haveExited, pidsIn } from '../support/worker/left-processes.ts';
import { ForwardingProxy } from './support/forwarding-proxy.ts';
import { leavesProcesses, untilThere } from './support/prompts.ts';
import type { WalkContext } from './support/walk-context.ts';
import { walks } from './support/walk.ts';

/** Lets six hours pass for a worker, in the only clock that counts: the database's. */
async function age(on: WalkContext, workerId: string): Promise<void> {
  const { database } = on.deployment;
  await database.query(
    `update workers set last_heartbeat_at = last_heartbeat_at - interval '6 hours' where worker_id = $1`,
    [workerId],
  );
  await database.query(
    `update tasks set lease_expires_at = lease_expires_at - interval '6 hours' where worker_id = $1 and status = 'running'`,
    [workerId],
  );
}

async function listed(on: WalkContext, workerId: string) {
  const { workers } = await on.must(200, 'GET', '/v1/monitor/workers?limit=200', { as: 'viewer' });
  return workers.find(({ id }: { id: string }) => id === workerId);
}

/** A worker sends three heartbeats within a lease, and one that wakes learns from the next of them what it lost. */
const settings = (): Promise<Record<string, string>> => Promise.resolve({ TASK_LEASE_SECONDS: '15' });

walks('workers', { on: ['embedded', 'replicas'], settings }, (walk) => {
  walk(
    ['worker-returns'],
    'a worker that was suspended for hours comes back, ends what it lost, and gets the next task',
    async (on) => {
      const { worker, repository, codebaseId } = await on.workplace();
      const [file, again] = [path.join(on.folder, 'pids'), path.join(on.folder, 'again')];
      const begun = await on.task(codebaseId, [
        `if [ -e '${again}' ]; then echo back > made.txt; exit; fi`,
        ...leavesProcesses(file),
        'sleep 600',
      ]);
      const pids = await pidsIn(file);
      await worker.suspend();
      await writeFile(again, '');
      await age(on, worker.id);
      expect((await listed(on, worker.id)).status).toBe('offline');
      const waiting = await on.task(codebaseId, ['echo next > made.txt']);
      await until('the lost run was given up', async () => (await on.get(begun)).status === 'pending');
      // A replica knows that a worker fell silent after two seconds at most.
      await until('the reason is true', async () => (await on.get(waiting)).waiting_reason === 'worker_offline');
      expect((await on.get(waiting)).status).toBe('pending');
      worker.wake();
      await haveExited(pids);
      expect(await on.made(begun, repository, 'made.txt')).toBe('back\n');
      expect(await on.made(waiting, repository, 'made.txt')).toBe('next\n');
      expect(await on.get(begun)).toMatchObject({ attempt: 2, worker_id: worker.id });
      expect((await listed(on, worker.id)).status).toBe('active');
    },
  );

  walk(['worker-moves'], 'a worker whose replica goes away completes its running task at the other one', async (on) => {
    const forwarder = on.use(await ForwardingProxy.start(on.deployment.at(0).url));
    const { worker, repository, codebaseId } = await on.workplace({ url: forwarder.url });
    const gate = path.join(on.folder, 'gate');
    const id = await on.task(codebaseId, ['echo begun', untilThere(gate), 'echo moved > made.txt', 'echo ended']);
    await on.printed(id, 'begun');
    forwarder.switchTo(on.deployment.at(1).url);
    await writeFile(gate, '');
    expect(await on.made(id, repository, 'made.txt')).toBe('moved\n');
    expect(await on.get(id)).toMatchObject({ attempt: 1, worker_id: worker.id });
    expect(await on.output(id)).toBe('begun\nended\n');
    expect(await on.made(await on.task(codebaseId, ['echo next > made.txt']), repository, 'made.txt')).toBe('next\n');
    const { workers } = await on.must(200, 'GET', '/v1/agent/workers?limit=200');
    expect(workers.filter(({ name }: { name: string }) => name === worker.name)).toHaveLength(1);
  });

  walk(
    ['worker-replaced'],
    'a worker killed -9 and started under its name is the same, and ends its task once',
    async (on) => {
      const { worker, repository, codebaseId } = await on.workplace({ slots: 2 });
      const before = await on.must(200, 'GET', `/v1/agent/codebases/${codebaseId}`);
      const [file, again] = [path.join(on.folder, 'pids'), path.join(on.folder, 'again')];
      const id = await on.task(codebaseId, [
        `if [ -e '${again}' ]; then echo redone > made.txt; exit; fi`,
        ...leavesProcesses(file),
        'sleep 600',
      ]);
      const pids = await pidsIn(file);
      const { id: former } = worker;
      await worker.kill();
      await writeFile(again, '');
      await age(on, former);
      await worker.start();
      await haveExited(pids);
      expect(worker.id).toBe(former);
      expect(await on.must(200, 'GET', `/v1/agent/codebases/${codebaseId}`)).toEqual(before);
      expect(await on.made(id, repository, 'made.txt')).toBe('redone\n');
      expect(await on.get(id)).toMatchObject({ attempt: 2, worker_id: former });
      const { events } = await on.must(200, 'GET', `/v1/agent/tasks/${id}/events?limit=1000`);
      expect(events.filter(({ data }: { data: { final?: boolean } }) => data.final === true)).toHaveLength(1);
    },
  );

  walk(['worker-stops'], 'a worker that is stopped gives back what it runs, and another one takes it', async (on) => {
    const repository = await on.repository();
    const env = { A2A_WORKER_DRAIN_SECONDS: '0.2' };
    const first = await on.worker({ codebases: [{ path: repository }], env });
    const { codebase_id: codebaseId } = await on.codebaseAt(first, repository);
    const [file, again] = [path.join(on.folder, 'pids'), path.join(on.folder, 'again')];
    const id = await on.task(codebaseId, [
      `if [ -e '${again}' ]; then echo taken over > made.txt; exit; fi`,
      ...leavesProcesses(file),
      'sleep 600',
    ]);
    const pids = await pidsIn(file);
    await writeFile(again, '');
    expect(await first.stop()).toBe(0);
    await haveExited(pids);
    expect(await on.get(id)).toMatchObject({ status: 'pending', attempt: 0 });
    const second = await on.worker({ codebases: [{ path: repository, codebase_id: codebaseId }] });
    expect(await on.made(id, repository, 'made.txt')).toBe('taken over\n');
    expect(await on.get(id)).toMatchObject({ attempt: 1, worker_id: second.id });
  });

  walk(['worker-listed'], 'the monitor lists a worker, its codebases and what it completed', async (on) => {
    const { worker, codebaseId } = await on.workplace();
    await on.completed(await on.task(codebaseId, ['echo one']));
    await on.completed(await on.task(codebaseId, ['echo two']));
    const entry = await listed(on, worker.id);
    expect(entry).toMatchObject({ name: worker.name, status: 'active', codebases: 1, tasks_completed: 2 });
    expect(Date.now() - Date.parse(entry.last_heartbeat)).toBeLessThan(60_000);
    const { workers } = await on.must(200, 'GET', `/v1/agent/workers?codebase_id=${codebaseId}`);
    expect(workers).toMatchObject([{ worker_id: worker.id, codebases: [codebaseId] }]);
    await worker.stop();
    const { workers: left } = await on.must(200, 'GET', '/v1/agent/workers?status=unregistered&limit=200');
    expect(left.map(({ name }: { name: string }) => name)).toContain(worker.name);
  });
});
