// The peers: widely used queues, each one called inside its own process without HTTP.
import { z } from 'zod';
import type { Implementation, BenchSetup } from '../implementation.ts';
import type { BenchDatabase } from '../database.ts';
import { roundFigures } from '../measure/round.ts';
import { openBenchRedis } from '../redis.ts';

const nothing = z.object({});

/** @returns the peers that can run here */
export async function openPeers(
  opening: BenchSetup,
  database: BenchDatabase,
  log: (line: string) => void,
): Promise<Implementation[]> {
  const onPostgres = [
    await openPeer(opening, 'graphile', await database.create('graphile'), database.pid),
    await openPeer(opening, 'pg-boss', await database.create('pg_boss'), database.pid),
  ];
  const redis = await openBenchRedis();
  if (redis === undefined) {
    log('Skipping BullMQ: redis-server is not on the PATH.');
    return onPostgres;
  }
  opening.closing.use(redis);
  try {
    return [...onPostgres, await openPeer(opening, 'bullmq', { socket: redis.socket }, redis.pid)];
  } catch (error) {
    // BullMQ does not install a Redis client itself, so it may be missing.
    log(`Skipping BullMQ: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
    return onPostgres;
  }
}

const titles = {
  graphile: { name: 'graphile-worker', what: 'addJob, in-process' },
  'pg-boss': { name: 'pg-boss', what: 'send, in-process' },
  bullmq: { name: 'BullMQ', what: 'add, in-process, appendfsync always' },
} as const;

async function openPeer(
  { size, start }: BenchSetup,
  script: keyof typeof titles,
  openInput: unknown,
  storePid: number,
): Promise<Implementation> {
  const child = start(script);
  await child.request('open', openInput, nothing);
  return {
    ...titles[script],
    kind: 'submit',
    serverPid: child.pid,
    storePid,
    round: () => child.request('round', { callers: size.connections, durationMs: size.roundMs }, roundFigures),
  };
}
