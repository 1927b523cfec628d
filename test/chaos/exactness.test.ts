// Exactness under kill -9: nothing acknowledged is lost, nothing ends twice, attempts are counted rightly.
import { createServer } from 'node:net';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { testConfig } from '../house.ts';
import { cloneDatabase } from '../support/database.ts';
import { checkInvariants } from '../support/invariants.ts';
import { until } from '../support/until.ts';
import { startChild, type Child } from './processes/child.ts';

const full = process.env['SCALE'] === 'full';
const taskCount = full ? 10_000 : 600;
const workerCount = full ? 8 : 4;
const workerKills = full ? 40 : 8;
const serviceKills = full ? 10 : 3;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

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
  full ? 1_800_000 : 240_000,
);

/** Submits over 16 connections; a call without an answer is repeated under its own key. */
async function submitAll(url: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  let next = 0;
  const submitter = async (): Promise<void> => {
    while (next < count) {
      const i = next++;
      ids.push(await until(`task ${i} taken`, () => submit(url, i), 120_000));
    }
  };
  await Promise.all(Array.from({ length: 16 }, submitter));
  return ids;
}

async function submit(url: string, i: number): Promise<string | undefined> {
  const body = JSON.stringify({ title: `task ${i}`, prompt: 'x'.repeat(200), codebase_id: 'global' });
  const headers = {
    authorization: 'Bearer token-of-editor',
    'content-type': 'application/json',
    'idempotency-key': `key ${i}`,
  };
  try {
    const response = await fetch(`${url}/v1/agent/tasks`, { method: 'POST', headers, body });
    if (response.status >= 500) return undefined;
    const answer: { task: { id: string } } = JSON.parse(await response.text());
    return answer.task.id;
  } catch {
    // The service is down: once more, under the same key.
    return undefined;
  }
}
