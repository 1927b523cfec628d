// Two replicas behind a proxy, eight workers, a broker and a database of their own, no two clocks alike. Storms: each of them
// is killed with -9, and connections are left half-open. Between storms it is calm: then nobody waits beside a free worker.
import { describe, expect, it } from 'vitest';
import { FrontProxy } from '../support/peers/front-proxy.ts';
import { findRedis, TestRedis } from '../support/peers/redis.ts';
import { until } from '../support/until.ts';
import { StallMonitor } from './support/stall-monitor.ts';
import { WorkerFleet, slotsOfEach } from './support/worker-fleet.ts';
import { faultsOf, finished } from './support/outcome.ts';
import { startReplica } from './support/replica.ts';
import { openPrivatePostgres, type PrivatePostgres } from './support/private-postgres.ts';
import type { Interval } from './support/intervals.ts';
import { submitAll, submitOne } from './support/submit-all.ts';
import { databaseMs, readAvoidableWaits } from './support/avoidable-waits.ts';

const full = process.env['SCALE'] === 'full';
const workerCount = 8;
/** Storms, each with every fault; tasks taken in one, and in the calm after it. */
const rounds = full ? 5 : 1;
const inStorm = full ? 1592 : 350;
const inCalm = full ? 400 : 142;
const taskCount = rounds * (inStorm + inCalm + workerCount);
const pollMs = 2_000;
const leaseSeconds = 3;
const minuteMs = 60_000;

const redisProgram = findRedis();

interface ReplicaSet extends AsyncDisposable {
  readonly db: PrivatePostgres;
  readonly fleet: WorkerFleet;
  /** The tasks of the service, at any replica. */
  readonly url: string;
  /** Each does one thing to them, and resolves when what was killed has been started again. */
  readonly faults: readonly ((turn: number) => Promise<void>)[];
  /** Resolves when every worker has its channel again, whatever became of the last one. */
  readonly recovered: () => Promise<void>;
}

async function openReplicaSet(): Promise<ReplicaSet> {
  await using opening = new AsyncDisposableStack();
  const db = opening.use(await openPrivatePostgres());
  const redis = opening.use(await TestRedis.start(redisProgram ?? ''));
  const brokerProxy = opening.use(await FrontProxy.start([redis.port]));
  const brokerUrl = `redis://127.0.0.1:${brokerProxy.port}`;
  const config = { leaseSeconds, maxAttempts: 20, brokerUrl };
  const replicas = await Promise.all([-30, 30].map((minutes) => startReplica(db.service, config, minutes * minuteMs)));
  for (const replica of replicas) opening.use(replica);
  const proxy = opening.use(await FrontProxy.start(replicas.map(({ port }) => port)));
  const fleet = opening.use(
    await WorkerFleet.start({
      size: workerCount,
      url: proxy.url,
      program: (i) => (i % 2 === 0 ? 'program-worker' : 'wire-worker'),
      clockOffsetMs: (i) => (i - workerCount / 2) * 15 * minuteMs,
      env: { CHAOS_POLL_MS: String(pollMs), CHAOS_BROKER: brokerUrl },
    }),
  );
  const killReplica = async (turn: number): Promise<void> => replicas[turn % replicas.length]?.kill();
  const killWorker = (turn: number): Promise<void> => fleet.kill(turn);
  const killBroker = async (): Promise<void> => {
    await redis.kill();
    await redis.restart();
  };
  const leaveHalfOpen = (): void => {
    fleet.forgetChannels();
    proxy.stall();
    brokerProxy.stall();
  };
  const faults = [
    killReplica,
    killWorker,
    killBroker,
    () => db.killOne(),
    killWorker,
    () => db.killAll(),
    async (turn: number) => {
      leaveHalfOpen();
      await killReplica(turn);
    },
  ];
  const owned = opening.move();
  return {
    db,
    fleet,
    url: proxy.url,
    faults,
    recovered: async () => {
      await until('every channel stands again', () => fleet.allUp, 90_000);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function titles(what: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${what} ${i}`);
}

/** Faults evenly over the tasks of one storm; in every other the other way round. @returns the tasks' ids */
async function storm({ db, url, faults, recovered }: ReplicaSet, round: number): Promise<string[]> {
  const before = await finished(db);
  const submitted = submitAll(url, titles(`storm ${round}`, inStorm));
  const order = round % 2 === 0 ? faults : faults.toReversed();
  for (const [i, strike] of order.entries()) {
    const mark = before + ((i + 1) / (order.length + 1)) * inStorm;
    await until(`${mark} tasks finished`, async () => (await finished(db)) >= mark, 300_000);
    await strike(round * order.length + i);
  }
  const ids = await submitted;
  await until('the storm is over', async () => (await finished(db)) === before + inStorm, 300_000);
  await recovered();
  return ids;
}

/** All at once first; then, in silence, one for each worker alone. @returns the tasks' ids */
async function calm({ db, url, fleet }: ReplicaSet, round: number): Promise<string[]> {
  const before = await finished(db);
  const ids = await submitAll(url, titles(`calm ${round}`, inCalm));
  await until('the calm is over', async () => (await finished(db)) === before + inCalm, 300_000);
  const workers = await db.query<{ worker_id: string }>('select worker_id from workers order by name');
  expect(workers).toHaveLength(fleet.size);
  for (const [i, { worker_id }] of workers.entries()) {
    ids.push(await submitOne(url, `probe ${round} of ${i}`, { target_worker_id: worker_id }));
  }
  const all = before + inCalm + fleet.size;
  await until('the probes are done', async () => (await finished(db)) === all, 300_000);
  return ids;
}

describe.runIf(redisProgram !== undefined)('two replicas and eight workers, their clocks an hour apart', () => {
  it(
    `finish ${taskCount} tasks once each, whoever of them, the broker or the database is killed, and let none wait beside a free worker [choices-5.38]`,
    async () => {
      await using replicaSet = await openReplicaSet();
      const { db } = replicaSet;
      await using stalls = await StallMonitor.start(db.superuser);
      await replicaSet.recovered();
      const begun = await databaseMs(db);
      const storms: Interval[] = [];
      const acknowledged: string[] = [];
      for (let round = 0; round < rounds; round++) {
        const from = await databaseMs(db);
        acknowledged.push(...(await storm(replicaSet, round)));
        // An assignment sent into a broken connection is put back when its lease is over.
        const to = (await databaseMs(db)) + leaseSeconds * 1000;
        storms.push({ from, to });
        await until('the last leases of the storm are over', async () => (await databaseMs(db)) > to);
        acknowledged.push(...(await calm(replicaSet, round)));
      }
      expect(await faultsOf(db, acknowledged)).toEqual([]);

      const observed = { from: begun, to: await databaseMs(db) };
      const holes = [...storms, ...stalls.standstills];
      const waits = await readAvoidableWaits(db, pollMs + 1000, { slots: slotsOfEach, observed, holes });
      if (process.env['CHAOS_LOG'] !== undefined)
        process.stderr.write(`${JSON.stringify({ ...waits, whole: observed, holes })}\n`);
      expect(waits.tooLong).toEqual([]);
      // Else the calm was none, and nothing was shown.
      expect(waits.judged).toBeGreaterThan((rounds * inCalm) / 2);
    },
    full ? 3_600_000 : 480_000,
  );
});
