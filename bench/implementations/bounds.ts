// The bounds. Upper bounds do only a part of the work; lower bounds use one statement per request.
import { z } from 'zod';
import type { Implementation, BenchSetup } from '../implementation.ts';
import type { BenchDatabase } from '../database.ts';
import { roundFigures } from '../measure/round.ts';
import { cycleRound } from './cycle.ts';

const nothing = z.object({});
const opened = z.object({ url: z.string() });

export async function openEcho(opening: BenchSetup): Promise<Implementation> {
  const server = opening.start('echo');
  const { url } = await server.request('open', {}, opened);
  return {
    name: 'bare echo',
    what: 'node:http, JSON in and out',
    kind: 'submit',
    serverPid: server.pid,
    round: await submitsTo(opening, url),
  };
}

/** A group commit and nothing else. */
export async function openGrouped(opening: BenchSetup, database: BenchDatabase): Promise<Implementation> {
  const server = opening.start('grouped');
  const login = await database.create('grouped_submit');
  const { url } = await server.request('open', { login }, opened);
  return {
    name: 'bare group commit',
    what: 'node:http, one INSERT for all that wait',
    kind: 'submit',
    serverPid: server.pid,
    storePid: database.pid,
    round: await submitsTo(opening, url),
  };
}

/** The bare delivery of a webhook, without storing anything. */
export async function openPost({ size, start }: BenchSetup): Promise<Implementation> {
  const receiver = start('receiver');
  const { url } = await receiver.request('open', {}, opened);
  const poster = start('poster');
  await poster.request('open', { url }, nothing);
  return {
    name: 'one signed POST',
    what: 'undici, kept connections, no store',
    kind: 'cycle',
    serverPid: poster.pid,
    round: () => poster.request('round', { durationMs: size.roundMs }, roundFigures),
  };
}

export async function openInsert(opening: BenchSetup, database: BenchDatabase): Promise<Implementation> {
  const server = opening.start('statement');
  const login = await database.create('statement_submit');
  const { url } = await server.request('open', { login, claimed: false }, opened);
  return {
    name: 'one INSERT a request',
    what: 'node:http, pg pool, prepared',
    kind: 'submit',
    serverPid: server.pid,
    storePid: database.pid,
    round: await submitsTo(opening, url),
  };
}

/** A round of submits with its own load generator. */
async function submitsTo({ size, start }: BenchSetup, url: string): Promise<Implementation['round']> {
  const load = start('load');
  await load.request('open', { url, path: '/submit', token: 'none', connections: size.connections }, nothing);
  return () => load.request('round', { durationMs: size.roundMs, idempotencyKeys: false }, roundFigures);
}

export async function openStatementCycle(
  { size, start }: BenchSetup,
  database: BenchDatabase,
): Promise<Implementation> {
  const server = start('statement');
  const login = await database.create('statement_cycle');
  const { url } = await server.request('open', { login, claimed: true }, opened);
  const load = start('load');
  await load.request('open', { url, path: '/submit', token: 'none', connections: size.connections }, nothing);
  const worker = start('statement-worker');
  await worker.request('open', { url, slots: size.connections / 2 }, nothing);
  return {
    name: 'a statement per step',
    what: 'submit, claim, complete',
    kind: 'cycle',
    serverPid: server.pid,
    storePid: database.pid,
    round: () => cycleRound(load, worker, size.cycleOperations),
  };
}
