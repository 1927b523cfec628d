// Messages of the protocol's own transport that its official library answers: it checks the protocol's rules, and asks our
// methods for what is theirs.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { goneSignal } from '../../pipeline/request-facts.ts';
import { RpcError, rpcCodes } from '../../wire/rpc-envelope.ts';
import { settle, type Exchange } from './exchange.ts';
import { instructions } from './handshake.ts';
import type { McpMethod } from '../methods/methods.ts';
import { standardHandler, type ServerInfo } from './standard.ts';

export interface LibraryDoorOptions {
  readonly info: ServerInfo;
  /** Those that are ours; the others are the library's own. */
  readonly methods: readonly McpMethod[];
  /** Hears of faults of ours. @returns the id under which the log has it */
  readonly broken: (request: FastifyRequest, error: unknown) => string;
}

/** A message on its way through the library. */
export interface Passing {
  readonly request: FastifyRequest;
  readonly body: Record<string, unknown>;
  /** Undefined: it is no call of anything, and nobody is asked. */
  readonly exchange: Exchange | undefined;
  readonly method: string | undefined;
}

/** @returns answers a message of which nothing may be right */
export function libraryDoor({ info, methods, broken }: LibraryDoorOptions) {
  const own = new Map(methods.map((row) => [row.method, row]));
  const refused = new RpcError(rpcCodes.request, 'refused by the protocol');
  const passing = new WeakMap<Request, Passing>();
  const library = standardHandler({
    info,
    instructions,
    methods: [...own.keys()],
    async ask(web, method, params, live) {
      const exchange = passing.get(web)?.exchange;
      const row = own.get(method);
      if (exchange === undefined || row === undefined) throw new Error(`${method} came around the hallway`);
      return (await settle(exchange, row, params, live)).result;
    },
    broken(web, error) {
      const request = passing.get(web)?.request;
      return request === undefined ? '' : broken(request, error);
    },
  });

  return async (message: Passing, reply: FastifyReply): Promise<unknown> => {
    const { request, body, exchange, method = '' } = message;
    // Whatever the library refused before it asked a method, and whom it lost on the way.
    reply.raw.once('close', () => exchange?.call.failed(refused));
    const web = webRequest(request, goneSignal(reply));
    passing.set(web, message);
    const response = await library.fetch(web, { parsedBody: body });
    const ours = own.get(method);
    if (ours === undefined && response.ok) await exchange?.call.succeeded();
    // What has one message to send goes out in one piece.
    return pass(response, reply, ours === undefined || ours.waits?.(body['params']) === true);
  };
}

/** What the library looks at of a request; its credentials stay here. */
const passed = /^(content-type|mcp-.*)$/;
/** A client that names a version takes both forms, whatever it says. */
const accept: [string, string] = ['accept', 'application/json, text/event-stream'];

function webRequest({ url, headers }: FastifyRequest, signal: AbortSignal): Request {
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    passed.test(name) && typeof value === 'string' ? [[name, value]] : [],
  );
  return new Request(`http://switchyard${url}`, { method: 'POST', headers: [accept, ...kept], signal });
}

async function pass(response: Response, reply: FastifyReply, mayStream: boolean): Promise<unknown> {
  reply.code(response.status);
  for (const [name, value] of response.headers) reply.header(name, value);
  if (response.body === null) return reply.send();
  const streams = mayStream && response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  return reply.send(streams ? Readable.fromWeb(response.body) : await response.text());
}
