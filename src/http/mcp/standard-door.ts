// The protocol's own transport behind the hallway: the message is read and admitted here, then its official library
// checks the protocol's rules and asks our methods.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { brokenRequest } from '../broken-request.ts';
import { goneSignal, visitorOf } from '../rest.ts';
import { errorBodyOf, isObject, jsonOf, RpcError, rpcCodes, type RpcErrorBody, type RpcId } from '../rpc-envelope.ts';
import { refusalOf } from './challenge.ts';
import { admit, settle, turnAway, type DoorOptions, type Exchange, type NamedMethod } from './exchange.ts';
import { instructions, libraryMethods, serverName } from './handshake.ts';
import type { Answerer } from './plain-door.ts';
import { standardHandler } from './standard.ts';

/** A web request on its way through the library, and what it is here. */
interface Passing {
  readonly request: FastifyRequest;
  readonly exchange: Exchange | undefined;
}

export function standardDoor(options: DoorOptions): Answerer {
  const { hallway, challenges, version, log } = options;
  const own = new Map(options.methods.map((row) => [row.method, row]));
  const known = new Map<string, NamedMethod>([...libraryMethods, ...options.methods].map((row) => [row.method, row]));
  const refused = new RpcError(rpcCodes.request, 'refused by the protocol');
  const passing = new WeakMap<Request, Passing>();
  const library = standardHandler({
    name: serverName,
    version,
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
      if (request === undefined) return '';
      log('a request failed', brokenRequest(request, error));
      return request.id;
    },
  });

  return async (request, reply) => {
    visitorOf(request).heard = true;
    const read = readMessage(request.body);
    if (read instanceof RpcError) {
      turnAway(hallway, request, read);
      return refuse(reply, null, read);
    }
    const { method, id, params } = read;
    const row = method === undefined ? undefined : known.get(method);
    let exchange: Exchange | undefined;
    // A notification is no call: there is none that does anything here.
    if (id !== undefined && row === undefined)
      turnAway(hallway, request, new RpcError(rpcCodes.method, 'no such method'));
    if (id !== undefined && row !== undefined) {
      try {
        exchange = await admit(hallway, request, row, params);
      } catch (error) {
        const told = errorBodyOf(error);
        if (told === 'http') {
          const { status, headers, body } = refusalOf(challenges, error, request.id, { id });
          return reply.code(status).headers(headers).send(body);
        }
        if (told === 'broken') throw error;
        return refuse(reply, id, told);
      }
      const { call } = exchange;
      // Whatever the library refused before it asked a method, and whom it lost on the way.
      reply.raw.once('close', () => call.failed(refused));
    }
    const web = webRequest(request, goneSignal(reply));
    passing.set(web, { request, exchange });
    const response = await library.fetch(web, { parsedBody: read.body });
    if (row !== undefined && !own.has(row.method) && response.ok) await exchange?.call.succeeded();
    // A look or a list has one message to send: it goes out in one piece. A change may take its time and tell of it.
    const isShort =
      exchange !== undefined &&
      row !== undefined &&
      own.has(row.method) &&
      row.calls?.(params, exchange.visit.subset)?.changes !== true;
    return pass(response, reply, !isShort);
  };
}

interface Read {
  readonly body: Record<string, unknown>;
  readonly method: string | undefined;
  /** Undefined: no request, and no answer to it. */
  readonly id: RpcId | undefined;
  readonly params: unknown;
}

function readMessage(bytes: unknown): Read | RpcError {
  try {
    const body = jsonOf(bytes);
    if (Array.isArray(body)) return new RpcError(rpcCodes.request, 'Invalid request: batches are not supported.');
    if (!isObject(body)) return new RpcError(rpcCodes.request, 'Invalid request: it is not an object.');
    const { method, id, params } = body;
    return {
      body,
      method: typeof method === 'string' ? method : undefined,
      id: typeof id === 'string' || typeof id === 'number' ? id : undefined,
      params,
    };
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
}

function refuse(reply: FastifyReply, id: RpcId | null, { code, message, data }: RpcErrorBody): FastifyReply {
  const error = { code, message, ...(data === undefined ? {} : { data }) };
  return reply.code(400).send({ jsonrpc: '2.0', id, error });
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
