// The A2A group: a message sent to the service, and to the official SDK's server with each of its stores, over the same
// connections in the same words.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Contestant, Opening } from '../contestant.ts';
import type { BenchDatabase } from '../database.ts';
import { messageText } from '../message-body.ts';
import { roundFigures } from '../measure/round.ts';

const nothing = z.object({});
const opened = z.object({ url: z.string() });

/** What each of them is, for the table and for the goals. */
export const a2aSends = {
  own: 'SendMessage',
  database: 'SendMessage, its database store',
  memory: 'SendMessage, its in-memory store',
} as const;

export async function openA2a(opening: Opening, database: BenchDatabase): Promise<Contestant[]> {
  const token = randomBytes(24).toString('base64url');
  const service = opening.start('serve');
  const { url } = await service.ask('open', { login: database.service, tokens: { a2a: token } }, opened);
  return [
    await sender(opening, { name: 'switchyard', what: a2aSends.own }, url, token, service.pid, database.pid),
    await official(opening, a2aSends.database, await database.create('a2a_sdk'), database.pid),
    await official(opening, a2aSends.memory, null, undefined),
  ];
}

async function official(
  opening: Opening,
  what: string,
  login: unknown,
  storePid: number | undefined,
): Promise<Contestant> {
  const server = opening.start('a2a-sdk');
  const { url } = await server.ask('open', { login }, opened);
  return sender(opening, { name: `@a2a-js/sdk`, what }, url, '', server.pid, storePid);
}

async function sender(
  { start, size }: Opening,
  title: { name: string; what: string },
  url: string,
  token: string,
  serverPid: number,
  storePid: number | undefined,
): Promise<Contestant> {
  const load = start('load');
  const place = { url, path: '/a2a/jsonrpc', token, connections: size.connections, body: messageText, status: 200 };
  await load.ask('open', place, nothing);
  return {
    ...title,
    kind: 'submit',
    serverPid,
    ...(storePid === undefined ? {} : { storePid }),
    round: () => load.ask('round', { durationMs: size.roundMs, idempotencyKeys: false }, roundFigures),
  };
}
