// The bounds: a bare echo above, a statement per request below.
import { z } from 'zod';
import type { Contestant, Opening } from '../contestant.ts';
import type { BenchDatabase } from '../database.ts';
import { roundFigures } from '../measure/round.ts';
import { cycleRound } from './cycle.ts';

const nothing = z.object({});
const opened = z.object({ url: z.string() });

export async function openEcho({ size, start }: Opening): Promise<Contestant> {
  const server = start('echo');
  const { url } = await server.ask('open', {}, opened);
  const load = start('load');
  await load.ask('open', { url, path: '/', token: 'none', connections: size.connections }, nothing);
  return {
    name: 'bare echo',
    what: 'node:http, JSON in and out',
    kind: 'submit',
    serverPid: server.pid,
    round: () => load.ask('round', { durationMs: size.roundMs, idempotencyKeys: false }, roundFigures),
  };
}

export async function openInsert({ size, start }: Opening, database: BenchDatabase): Promise<Contestant> {
  const server = start('statement');
  const login = await database.create('statement_submit');
  const { url } = await server.ask('open', { login, claimed: false }, opened);
  const load = start('load');
  await load.ask('open', { url, path: '/submit', token: 'none', connections: size.connections }, nothing);
  return {
    name: 'one INSERT a request',
    what: 'node:http, pg pool, prepared',
    kind: 'submit',
    serverPid: server.pid,
    storePid: database.pid,
    round: () => load.ask('round', { durationMs: size.roundMs, idempotencyKeys: false }, roundFigures),
  };
}

export async function openStatementCycle({ size, start }: Opening, database: BenchDatabase): Promise<Contestant> {
  const server = start('statement');
  const login = await database.create('statement_cycle');
  const { url } = await server.ask('open', { login, claimed: true }, opened);
  const load = start('load');
  await load.ask('open', { url, path: '/submit', token: 'none', connections: size.connections }, nothing);
  const worker = start('stepper');
  await worker.ask('open', { url, slots: size.connections / 2 }, nothing);
  return {
    name: 'a statement per step',
    what: 'submit, claim, complete',
    kind: 'cycle',
    serverPid: server.pid,
    storePid: database.pid,
    round: () => cycleRound(load, worker, size.cycleOperations),
  };
}
