// The protocol's own transport behind the hallway: a message is read and admitted here. A request that is plain and has its
// answer in one piece goes to its method; everything else is answered by the protocol's official library.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { brokenRequest } from '../../bindings/broken-request.ts';
import { headerOf } from '../../pipeline/request-facts.ts';
import { visitorOf } from '../../bindings/rest.ts';
import {
  errorBodyOf,
  isObject,
  jsonOf,
  RpcError,
  rpcCodes,
  type RpcErrorBody,
  type RpcId,
} from '../../wire/rpc-envelope.ts';
import { replayHeaders } from '../../pipeline/idempotency.ts';
import { refusalOf } from './challenge.ts';
import { directRequest } from './direct-request.ts';
import { admit, liveOf, settle, turnAway, type DoorOptions, type Exchange, type NamedMethod } from './exchange.ts';
import { libraryMethods, serverInfoOf } from './handshake.ts';
import { libraryDoor } from './library-door.ts';
import type { Answerer } from './plain-door.ts';
import { errorInWords } from './standard.ts';

export function standardDoor(options: DoorOptions): Answerer {
  const { hallway, challenges, version, log, methods } = options;
  const own = new Map(methods.map((row) => [row.method, row]));
  const known = new Map<string, NamedMethod>([...libraryMethods, ...methods].map((row) => [row.method, row]));
  const info = serverInfoOf(version);
  const broken = (request: FastifyRequest, error: unknown): string => {
    log('a request failed', brokenRequest(request, error));
    return request.id;
  };
  const library = libraryDoor({ info, methods, broken });

  return async (request, reply) => {
    visitorOf(request).heard = true;
    const read = readMessage(request.body);
    if (read instanceof RpcError) {
      turnAway(hallway, request, read);
      return refuse(reply, null, read);
    }
    const { body, method, id, params } = read;
    const row = method === undefined ? undefined : known.get(method);
    if (id === undefined || row === undefined) {
      // A notification is no call: there is none that does anything here.
      if (id !== undefined) turnAway(hallway, request, new RpcError(rpcCodes.method, 'no such method'));
      return library({ request, body, method, exchange: undefined }, reply);
    }
    let exchange: Exchange;
    try {
      exchange = await admit(hallway, request, reply, row, params);
    } catch (error) {
      const told = errorBodyOf(error);
      if (told === 'broken') throw error;
      if (told !== 'http') return refuse(reply, id, told);
      const { status, headers, body: problem } = refusalOf(challenges, error, request.id, { id });
      return reply.code(status).headers(headers).send(problem);
    }
    const ours = own.get(row.method);
    const mayStream = ours === undefined || ours.waits?.(params) === true;
    const direct = mayStream ? undefined : directRequest(body, (name) => headerOf(request, name), info);
    if (ours === undefined || direct === undefined) return library({ request, body, method, exchange }, reply);
    const answer = await settle(exchange, ours, direct.params, liveOf(reply)).then(
      (outcome) => {
        reply.headers(replayHeaders(outcome.replayed === true));
        return direct.result(outcome);
      },
      (error: unknown) => direct.error(errorInWords(error, (fault) => broken(request, fault))),
    );
    return reply.headers({ ...direct.headers }).send(answer);
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
