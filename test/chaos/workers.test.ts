// Workers killed again and again, the service restarted under them: every task still ends, once. design §5.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { repository, script, workerFolder } from '../support/worker/local-worker.ts';
import { processesOf } from '../support/worker/left-processes.ts';
import { workerProcess, type WorkerProcess } from '../support/worker/worker-process.ts';

const tasks = 24;
const kills = 6;

describe('workers that are killed -9 while the service restarts', () => {
  it('lose no task and end none twice, and leave nothing running', async () => {
    await using service = await openService({ config: { leaseSeconds: 3 } });
    await using folder = await workerFolder();
    const machines = await Promise.all([0, 1, 2].map((n) => repository(join(folder.path, `machine-${n}`))));
    const start = (n: number): WorkerProcess =>
      workerProcess(service, machines[n] ?? folder.path, {
        A2A_WORKER_NAME: `chaos-${n}`,
        A2A_WORKER_KILL_GRACE_SECONDS: '1',
      });
    const workers = machines.map((_, n) => start(n));
    await using _all = {
      async [Symbol.asyncDispose]() {
        await Promise.all(workers.map((worker) => worker[Symbol.asyncDispose]()));
      },
    };
    const prompt = script('echo begun', 'sleep 0.3', 'echo made > made.txt', 'echo ended');
    for (let i = 0; i < tasks; i += 1) await service.task({ prompt, max_attempts: 20, title: `chaos ${i}` });
    const ended = async (): Promise<number> => {
      const [row] = await service.db.query<{ n: number }>(
        `select count(*)::int as n from tasks where status in ('completed', 'failed', 'cancelled')`,
      );
      return row?.n ?? 0;
    };
    for (let kill = 0; kill < kills; kill += 1) {
      const goal = Math.floor(((kill + 1) * tasks) / (kills + 2));
      await until(`${goal} ended`, async () => (await ended()) >= goal);
      const n = kill % workers.length;
      workers[n]?.signal('SIGKILL');
      await workers[n]?.ended;
      if (kill === kills / 2) await service.restart();
      workers[n] = start(n);
    }
    await until('all ended', async () => (await ended()) === tasks);
    const states = await service.db.query(
      `select t.status, t.error, count(*)::int as n,
         count(*) filter (where 1 <> (select count(*) from task_events e where e.task_id = t.id
           and e.type = 'status' and (e.data->>'final')::boolean))::int as not_once
       from tasks t group by t.status, t.error`,
    );
    expect(states).toEqual([{ status: 'completed', error: null, n: tasks, not_once: 0 }]);
    // The last of them may still be starting: a signal before it listens to signals ends it otherwise.
    await until('all are there', () => workers.every((worker) => worker.logged().includes('registered')));
    for (const worker of workers) worker.signal('SIGTERM');
    expect(await Promise.all(workers.map(({ ended: end }) => end))).toEqual([0, 0, 0]);
    expect(processesOf(folder.path)).toEqual([]);
    expect(workers.map((worker) => worker.logged()).join('')).not.toContain('attempt ended by an internal error');
  });
});
