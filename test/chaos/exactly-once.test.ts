// Exactness under kill -9: nothing acknowledged is lost, nothing ends twice, attempts are counted rightly.
import { expect, it } from 'vitest';
import { cloneDatabase } from '../support/database/database.ts';
import { until } from '../support/until.ts';
import { WorkerFleet } from './support/worker-fleet.ts';
import { faultsOf, finished } from './support/outcome.ts';
import { startReplica } from './support/replica.ts';
import { submitAll } from './support/submit-all.ts';

const full = process.env['SCALE'] === 'full';
const taskCount = full ? 10_000 : 600;
const workerCount = full ? 8 : 4;
const workerKills = full ? 40 : 8;
const serviceKills = full ? 10 : 3;

it(
  `${taskCount} tasks over ${workerCount} workers, ${workerKills + serviceKills} × kill -9 of workers and service: none lost, one end each`,
  async () => {
    await using db = await cloneDatabase();
    await using service = await startReplica(db.service, { leaseSeconds: 2, maxAttempts: 20 });
    await using fleet = await WorkerFleet.start({ size: workerCount, url: service.url, program: () => 'wire-worker' });

    const submitted = submitAll(
      service.url,
      Array.from({ length: taskCount }, (_, i) => `task ${i}`),
    );
    const evenly = (count: number): number[] =>
      Array.from({ length: count }, (_, i) => ((i + 1) / (count + 1)) * taskCount);
    const kills = [
      ...evenly(workerKills).map((at) => ({ at, strike: (turn: number) => fleet.kill(turn) })),
      ...evenly(serviceKills).map((at) => ({ at, strike: () => service.kill() })),
    ].toSorted((a, b) => a.at - b.at);
    for (const [turn, kill] of kills.entries()) {
      await until(`${kill.at} tasks finished`, async () => (await finished(db)) >= kill.at, 300_000);
      await kill.strike(turn);
    }
    const acknowledged = await submitted;
    await until('the last task finished', async () => (await finished(db)) === taskCount, 300_000);
    expect(await faultsOf(db, acknowledged)).toEqual([]);
  },
  full ? 1_800_000 : 480_000,
);
