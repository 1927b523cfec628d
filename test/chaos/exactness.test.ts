// Exactness under kill -9: nothing acknowledged is lost, nothing ends twice, attempts are counted rightly.
import { rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { testConfig } from '../house.ts';
import { cloneDatabase } from '../support/database.ts';
import { checkInvariants } from '../support/invariants.ts';
import { freePort } from '../support/program.ts';
import { until } from '../support/until.ts';
import { startChild, type Child } from './processes/child.ts';
import { submitAll } from './submit-all.ts';

const full = process.env['SCALE'] === 'full';
const taskCount = full ? 10_000 : 600;
const workerCount = full ? 8 : 4;
const workerKills = full ? 40 : 8;
const serviceKills = full ? 10 : 3;

it(
  `${taskCount} tasks over ${workerCount} workers, ${workerKills + serviceKills} × kill -9 of workers and service: none lost, one end each`,
  async () => {
    await using db = await cloneDatabase();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const config = testConfig({ port, leaseSeconds: 2, maxAttempts: 20 });
    const serviceEnv = { CHAOS_SERVICE: JSON.stringify({ config, address: db.service }) };
    await using children = new AsyncDisposableStack();
    children.defer(() => rm(config.dataDir, { recursive: true, force: true }));
    const startService = (): Promise<Child> => startChild('service', serviceEnv);
    const startWorker = (i: number): Promise<Child> =>
      startChild('wire-worker', {
        CHAOS_URL: url,
        CHAOS_TOKEN: 'token-of-agent',
        CHAOS_NAME: `worker-${i}`,
        CHAOS_SLOTS: '4',
      });
    let service = await startService();
    const workers = await Promise.all(Array.from({ length: workerCount }, (_, i) => startWorker(i)));
    children.defer(() => service.kill());
    children.defer(async () => {
      await Promise.all(workers.map((worker) => worker.kill()));
    });

    const submitted = submitAll(url, taskCount);
    const finished = async (): Promise<number> => {
      const [row] = await db.query<{ n: string }>(`select count(*) as n from tasks where completed_at is not null`);
      return Number(row?.n);
    };
    const kills = [
      ...Array.from({ length: workerKills }, (_, i) => ({
        at: ((i + 1) / (workerKills + 1)) * taskCount,
        worker: true,
      })),
      ...Array.from({ length: serviceKills }, (_, i) => ({
        at: ((i + 1) / (serviceKills + 1)) * taskCount,
        worker: false,
      })),
    ].toSorted((a, b) => a.at - b.at);
    for (const [turn, kill] of kills.entries()) {
      await until(`${kill.at} tasks finished`, async () => (await finished()) >= kill.at, 300_000);
      if (kill.worker) {
        const i = turn % workerCount;
        await workers[i]?.kill();
        workers[i] = await startWorker(i);
      } else {
        await service.kill();
        service = await startService();
      }
    }
    const acknowledged = await submitted;
    await until('the last task finished', async () => (await finished()) === taskCount, 300_000);

    expect(await checkInvariants(db)).toEqual([]);
    const rows = await db.query<{ id: string; status: string; title: string; result: string }>(
      'select id, status, title, result from tasks',
    );
    expect(new Set(rows.map((row) => row.id))).toEqual(new Set(acknowledged));
    expect(rows.filter((row) => row.status !== 'completed' || row.result !== row.title)).toEqual([]);
  },
  full ? 1_800_000 : 480_000,
);
