// Plain JSON-RPC: for scripts and clients that post a method and read its result, without a handshake or streams.
// Everything is HTTP 200 but what HTTP answers on every path. document 2 §2.1, choices §3.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { brokenRequest } from '../../bindings/broken-request.ts';
import { jsonType, visitorOf } from '../../bindings/rest.ts';
import {
  brokenBody,
  envelopeIn,
  errorBodyOf,
  idIn,
  isHttpRefusal,
  isObject,
  jsonOf,
  RpcError,
  rpcCodes,
  type RpcErrorBody,
  type RpcId,
} from '../../wire/rpc-envelope.ts';
import { replayHeaders } from '../../pipeline/idempotency.ts';
import { refusalOf } from './challenge.ts';
import { admit, liveOf, settle, turnAway, type DoorOptions } from './exchange.ts';
import { handshakeMethods } from './handshake.ts';
import { resultText, type Outcome } from '../tools/visit.ts';

export type Answerer = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

export function plainDoor(options: DoorOptions): Answerer {
  const { hallway, challenges, version, log } = options;
  const rows = new Map([...handshakeMethods(version), ...options.methods].map((row) => [row.method, row]));
  return async (request, reply) => {
    visitorOf(request).heard = true;
    let id: RpcId | null = null;
    // Until it is named, it is no call of anything.
    let named = false;
    try {
      const body = jsonOf(request.body);
      if (isNotification(body)) return await reply.code(202).send();
      id = idIn(body);
      const { method, params } = envelopeIn(body);
      const row = rows.get(method);
      if (row === undefined) throw new RpcError(rpcCodes.method, `There is no method ${method.slice(0, 100)}.`);
      named = true;
      const exchange = await admit(hallway, request, reply, row, params);
      const outcome = await settle(exchange, row, params, liveOf(reply));
      if (outcome.refusal !== undefined && isHttpRefusal(outcome.refusal)) throw outcome.refusal;
      const text = resultText({ ...outcome, result: flattened(outcome) });
      return await reply
        .headers(replayHeaders(outcome.replayed === true))
        .type(jsonType)
        .send(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`);
    } catch (error) {
      if (!named) turnAway(hallway, request, error);
      const told = errorBodyOf(error);
      if (told === 'http') {
        const { status, headers, body } = refusalOf(challenges, error, request.id, { id });
        return reply.code(status).headers(headers).send(body);
      }
      if (told === 'broken') log('a request failed', brokenRequest(request, error));
      const body: RpcErrorBody = told === 'broken' ? brokenBody(request.id) : told;
      return reply.send({ jsonrpc: '2.0', id, error: body });
    }
  };
}

function isNotification(body: unknown): boolean {
  return isObject(body) && typeof body['method'] === 'string' && !('id' in body);
}

/** For clients of the plain form the members of a tool's result stand beside its content too; those of the protocol win. */
export function flattened({ result }: Pick<Outcome, 'result'>): Record<string, unknown> {
  const { structuredContent } = result;
  return isObject(structuredContent) ? { ...structuredContent, ...result } : result;
}
