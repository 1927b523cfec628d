// The peers: the queues people use today, each called in its own process without HTTP.
import { z } from 'zod';
import type { Contestant, Opening } from '../contestant.ts';
import type { BenchDatabase } from '../database.ts';
import { roundFigures } from '../measure/round.ts';
import { openBenchRedis } from '../redis.ts';

const nothing = z.object({});

/** @returns the peers that can run here */
export async function openPeers(
  opening: Opening,
  database: BenchDatabase,
  say: (line: string) => void,
): Promise<Contestant[]> {
  const onPostgres = [
    await peer(opening, 'graphile', await database.create('graphile'), database.pid),
    await peer(opening, 'pg-boss', await database.create('pg_boss'), database.pid),
  ];
  const redis = await openBenchRedis();
  if (redis === undefined) {
    say('BullMQ is left out: there is no redis-server on the path.');
    return onPostgres;
  }
  opening.closing.use(redis);
  try {
    return [...onPostgres, await peer(opening, 'bullmq', { socket: redis.socket }, redis.pid)];
  } catch (error) {
    // It takes its Redis client from whoever uses it, and there may be none.
    say(`BullMQ is left out: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
    return onPostgres;
  }
}

const titles = {
  graphile: { name: 'graphile-worker', what: 'addJob, in-process' },
  'pg-boss': { name: 'pg-boss', what: 'send, in-process' },
  bullmq: { name: 'BullMQ', what: 'add, in-process, appendfsync always' },
} as const;

async function peer(
  { size, start }: Opening,
  script: keyof typeof titles,
  place: unknown,
  storePid: number,
): Promise<Contestant> {
  const child = start(script);
  await child.ask('open', place, nothing);
  return {
    ...titles[script],
    kind: 'submit',
    serverPid: child.pid,
    storePid,
    round: () => child.ask('round', { callers: size.connections, durationMs: size.roundMs }, roundFigures),
  };
}
