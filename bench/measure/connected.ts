// The cost of connected workers for one replica, phase by phase: registering, connecting, idling, being notified.
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import type { BenchProcess } from '../child.ts';
import type { BenchDatabase } from '../database.ts';
import { expectStatus, HttpConnection } from '../http-connection.ts';
import { taskText } from '../bodies/task-body.ts';
import { cpuMs } from './cpu.ts';
import { readMemory, type Memory } from './memory.ts';
import { quantile } from './statistics.ts';

export interface ConnectedFigures {
  readonly workers: number;
  readonly registeredMs: number;
  readonly connectedMs: number;
  /** All at once, after all connections were closed. */
  readonly reconnectedMs: number;
  readonly memory: Readonly<Record<'alone' | 'half' | 'connected', Footprint>>;
  readonly idle: Readonly<Record<'alone' | 'connected', Idle>>;
  /** Milliseconds after the first arrival of the same frame. */
  readonly heartbeat: Spread;
  /** Milliseconds after the submit was sent. */
  readonly broadcast: Spread;
  readonly broadcasts: number;
  /** Time of one heartbeat that a worker posts. */
  readonly posted: Spread & { readonly cpuMicros: number; readonly storeCpuMicros: number; readonly commits: number };
}

export interface Footprint extends Memory {
  /** Heap of JavaScript, after a collection. */
  readonly heapMib: number;
}

export interface Idle {
  /** Statements of the database by the service's own loops. */
  readonly commitsPerSecond: number;
  /** Share of one core: of the service, and of its database. */
  readonly cpuShare: number;
  readonly storeCpuShare: number;
}

export interface Spread {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export interface MeasuredReplica {
  readonly url: string;
  readonly process: BenchProcess;
}

export interface ConnectedSetup {
  readonly openReplica: () => Promise<MeasuredReplica>;
  readonly token: string;
  readonly database: BenchDatabase;
  /** Two processes that hold the workers, half of them each. */
  readonly holders: readonly BenchProcess[];
  readonly workers: number;
  readonly idleMs: number;
  readonly log: (line: string) => void;
}

const nothing = z.object({});
const heap = z.object({ heapUsedMib: z.number() });
const seen = z.object({ arrivals: z.array(z.number()), cut: z.number() });
const heartbeatLatencies = z.object({ taken: z.array(z.number()) });
/** An idle database connection reports the statistics of its last commits after ten seconds. */
const statisticsMs = 11_000;
/** Longer than the follow-up work of the previous phase. */
const settleMs = 3_000;
/** The service sends a heartbeat within this time. */
const heartbeatWithinMs = 17_000;
/** Two heartbeats of the service are further apart than this; arrivals of the same heartbeat are closer. */
const gapMs = 5_000;
/** All workers post a heartbeat within this time, as they do with a lease of a minute. */
const postWithinMs = 20_000;
const broadcasts = 10;
const arriveWithinMs = 30_000;

/** Runs all phases, one after the other; ends in a few minutes. */
export async function measureConnected(setup: ConnectedSetup): Promise<ConnectedFigures> {
  const { workers, log } = setup;
  const registeredMs = await register(setup);
  // Start with a fresh replica, so that memory growth is the cost of the channels.
  await using replica = await startReplica(setup);
  log('idle, without workers');
  const idleAlone = await measureIdle(setup, replica);
  const alone = await footprint(replica);
  log('connecting the workers');
  const connect = (holders: readonly BenchProcess[], slots: number): Promise<number> =>
    timed(() => requestAll({ holders }, 'connect', nothing, () => ({ url: replica.url, slots })));
  // The first half warms the process up; the growth with the second half is the cost of the channels.
  const [first, second] = [setup.holders.slice(0, 1), setup.holders.slice(1)];
  const firstMs = await connect(first, 1);
  const half = await footprint(replica);
  const connectedMs = firstMs + (await connect(second, 1));
  const connected = await footprint(replica);
  log('idle, with all workers connected');
  const heartbeat = await measureHeartbeat(setup);
  const idle = { alone: idleAlone, connected: await measureIdle(setup, replica) };
  log('every worker posts a heartbeat');
  const posted = await measurePosted(setup, replica);
  log('closing all connections and waiting for all to reconnect');
  const reconnectedMs = await connect(setup.holders, 0);
  log('notifying all workers of a task');
  const broadcast = await measureBroadcast(setup, replica);
  return {
    workers,
    registeredMs,
    connectedMs,
    reconnectedMs,
    memory: { alone, half, connected },
    idle,
    heartbeat,
    broadcast,
    broadcasts,
    posted,
  };
}

async function startReplica({ openReplica }: ConnectedSetup): Promise<MeasuredReplica & AsyncDisposable> {
  const replica = await openReplica();
  return { ...replica, [Symbol.asyncDispose]: () => replica.process[Symbol.asyncDispose]() };
}

async function register(setup: ConnectedSetup): Promise<number> {
  const { workers, holders, token, log } = setup;
  await using replica = await startReplica(setup);
  log(`registering ${workers} workers`);
  const share = Math.ceil(workers / holders.length);
  const toInput = (i: number): unknown => {
    const first = i * share;
    return { url: replica.url, token, first, count: Math.min(share, workers - first) };
  };
  return await timed(() => requestAll(setup, 'register', nothing, toInput));
}

async function requestAll<T>(
  { holders }: Pick<ConnectedSetup, 'holders'>,
  commandName: string,
  answer: z.ZodType<T>,
  input: (holder: number) => unknown = () => ({}),
): Promise<T[]> {
  return Promise.all(holders.map((holder, i) => holder.request(commandName, input(i), answer, 600_000)));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function footprint({ process: service }: MeasuredReplica): Promise<Footprint> {
  await pause(settleMs);
  const { heapUsedMib: heapMib } = await service.request('heap', {}, heap);
  return { ...(await readMemory(service.pid)), heapMib };
}

async function measureIdle({ database, idleMs }: ConnectedSetup, { process: service }: MeasuredReplica): Promise<Idle> {
  await pause(statisticsMs);
  const pids = [service.pid, database.pid];
  const [before, commitsBefore] = [await cpuMs(pids), await commits(database)];
  await pause(idleMs);
  const [after, commitsAfter] = [await cpuMs(pids), await commits(database)];
  const [cpuShare = 0, storeCpuShare = 0] = after.map((ms, i) => (ms - (before[i] ?? 0)) / idleMs);
  return { commitsPerSecond: ((commitsAfter - commitsBefore) * 1000) / idleMs, cpuShare, storeCpuShare };
}

async function commits({ superuser, service }: BenchDatabase): Promise<number> {
  const client = new pg.Client({ ...superuser, database: 'postgres' });
  await client.connect();
  try {
    const { rows } = await client.query<{ n: string }>(
      'select xact_commit as n from pg_stat_database where datname = $1',
      [service.database],
    );
    return Number(rows[0]?.n);
  } finally {
    await client.end();
  }
}

/** Arrival times of one heartbeat that reached all workers. */
async function measureHeartbeat(setup: ConnectedSetup): Promise<Spread> {
  await requestAll(setup, 'watch', nothing, () => ({ event: 'heartbeat' }));
  await pause(heartbeatWithinMs);
  const arrivals = (await readArrivals(setup)).toSorted((a, b) => a - b);
  // The first heartbeat that reached all workers: an earlier one may have been in transit when recording began.
  const heartbeats: number[][] = [];
  arrivals.forEach((at, i) => {
    if (i === 0 || at - (arrivals[i - 1] ?? 0) > gapMs) heartbeats.push([]);
    heartbeats.at(-1)?.push(at);
  });
  const complete = heartbeats.find((heartbeat) => heartbeat.length === setup.workers) ?? [];
  return toSpread(complete.map((at) => at - (complete[0] ?? 0)));
}

async function measurePosted(
  setup: ConnectedSetup,
  { process: service }: MeasuredReplica,
): Promise<ConnectedFigures['posted']> {
  const { database, workers } = setup;
  await pause(statisticsMs);
  const pids = [service.pid, database.pid];
  const [before, commitsBefore] = [await cpuMs(pids), await commits(database)];
  const answers = await requestAll(setup, 'heartbeat', heartbeatLatencies, () => ({ overMs: postWithinMs }));
  const after = await cpuMs(pids);
  await pause(statisticsMs);
  const [cpuMicros = 0, storeCpuMicros = 0] = after.map((ms, i) => ((ms - (before[i] ?? 0)) * 1000) / workers);
  const committed = ((await commits(database)) - commitsBefore) / workers;
  return { ...toSpread(answers.flatMap((answer) => answer.taken)), cpuMicros, storeCpuMicros, commits: committed };
}

/** Submits tasks that every worker could claim and none does: each submit notifies all workers. */
async function measureBroadcast(setup: ConnectedSetup, { url }: MeasuredReplica): Promise<Spread> {
  using connection = new HttpConnection(url);
  await pause(settleMs);
  const latencies: number[] = [];
  for (let i = 0; i < broadcasts; i += 1) {
    await requestAll(setup, 'watch', nothing, () => ({ event: 'task_available' }));
    const sentAt = performance.timeOrigin + performance.now();
    const request = { method: 'POST', path: '/v1/agent/tasks', token: setup.token, body: taskText } as const;
    expectStatus(await connection.send(request), 201);
    const arrivals = await waitForAllArrivals(setup, sentAt);
    latencies.push(...arrivals.map((at) => at - sentAt));
  }
  return toSpread(latencies);
}

async function waitForAllArrivals(setup: ConnectedSetup, sentAt: number): Promise<number[]> {
  for (;;) {
    await pause(500);
    const arrivals = await readArrivals(setup);
    if (arrivals.length >= setup.workers) return arrivals;
    if (performance.timeOrigin + performance.now() > sentAt + arriveWithinMs) {
      throw new Error(`only ${arrivals.length} of ${setup.workers} workers were notified`);
    }
  }
}

/** @throws Error when the service has closed a connection */
async function readArrivals(setup: ConnectedSetup): Promise<number[]> {
  const reports = await requestAll(setup, 'seen', seen);
  const cut = reports.reduce((sum, one) => sum + one.cut, 0);
  if (cut > 0) throw new Error(`${cut} push channels were cut off`);
  return reports.flatMap((one) => one.arrivals);
}

function toSpread(values: readonly number[]): Spread {
  return {
    count: values.length,
    p50Ms: quantile(values, 0.5),
    p99Ms: quantile(values, 0.99),
    maxMs: quantile(values, 1),
  };
}
