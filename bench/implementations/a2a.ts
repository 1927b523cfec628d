// The A2A group: a message sent to the service, and to the official SDK's server with each of its stores, over the same
// connections with the same message.
import { z } from 'zod';
import type { Implementation, BenchSetup } from '../implementation.ts';
import type { BenchDatabase } from '../database.ts';
import { messageText } from '../bodies/message-body.ts';
import { roundFigures } from '../measure/round.ts';
import type { BenchService } from '../service.ts';

const nothing = z.object({});
const opened = z.object({ url: z.string() });

/** Row texts, used by the tables and the goals. */
export const a2aSends = {
  own: 'SendMessage',
  database: 'SendMessage, its database store',
  memory: 'SendMessage, its in-memory store',
  bare: 'SendMessage, its handler on bare node:http, in memory',
} as const;

export async function openA2a(
  opening: BenchSetup,
  database: BenchDatabase,
  service: BenchService,
): Promise<Implementation[]> {
  const { url, pid, tokenOf } = service;
  return [
    await openSender(opening, {
      name: 'switchyard',
      what: a2aSends.own,
      url,
      token: tokenOf('a2a'),
      serverPid: pid,
      storePid: database.pid,
    }),
    await openOfficial(
      opening,
      a2aSends.database,
      { login: await database.create('a2a_sdk'), bare: false },
      database.pid,
    ),
    await openOfficial(opening, a2aSends.memory, { login: null, bare: false }, undefined),
    await openOfficial(opening, a2aSends.bare, { login: null, bare: true }, undefined),
  ];
}

async function openOfficial(
  opening: BenchSetup,
  what: string,
  storeOptions: { readonly login: unknown; readonly bare: boolean },
  storePid: number | undefined,
): Promise<Implementation> {
  const server = opening.start('a2a-sdk');
  const { url } = await server.request('open', storeOptions, opened);
  return openSender(opening, { name: `@a2a-js/sdk`, what, url, token: '', serverPid: server.pid, storePid });
}

interface Receiver {
  readonly name: string;
  readonly what: string;
  readonly url: string;
  readonly token: string;
  readonly serverPid: number;
  /** The process of its database; undefined: it has none. */
  readonly storePid: number | undefined;
}

async function openSender(
  { start, size }: BenchSetup,
  { name, what, url, token, serverPid, storePid }: Receiver,
): Promise<Implementation> {
  const load = start('load');
  const { connections } = size;
  const headers = { 'a2a-version': '1.0' };
  const loadOptions = { url, path: '/a2a/jsonrpc', token, connections, body: messageText, headers, status: 200 };
  await load.request('open', loadOptions, nothing);
  return {
    name,
    what,
    kind: 'submit',
    serverPid,
    storePid,
    round: () => load.request('round', { durationMs: size.roundMs, idempotencyKeys: false }, roundFigures),
  };
}
