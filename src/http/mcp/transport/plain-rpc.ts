// The plain JSON-RPC transport, for scripts and clients that post a method and read its result, without a handshake or
// streams. Every answer is HTTP 200, except the errors that HTTP answers on every path. tools-2.1, choices-3.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describeRequestFailure } from '../../bindings/request-failure.ts';
import { jsonType } from '../../bindings/rest.ts';
import { admissionOf } from '../../pipeline/request.ts';
import {
  internalErrorBody,
  parseEnvelope,
  toRpcErrorBody,
  findRpcId,
  isHttpRefusal,
  isObject,
  parseJsonBody,
  RpcError,
  rpcCodes,
  type RpcErrorBody,
  type RpcId,
} from '../../wire/rpc-envelope.ts';
import { replayHeaders } from '../../pipeline/idempotency.ts';
import { renderHttpRefusal } from './mcp-errors.ts';
import { beginExchange, silentReporterFor, runExchange, rejectMessage, type TransportOptions } from './exchange.ts';
import { handshakeMethods } from './handshake.ts';
import { serializeResult, type McpOutcome } from '../tools/tool-call-context.ts';

export type MessageHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

export function createPlainRpc(options: TransportOptions): MessageHandler {
  const { challenges, version, log } = options;
  const rows = new Map([...handshakeMethods(version), ...options.methods].map((row) => [row.method, row]));
  return async (request, reply) => {
    const admission = admissionOf(request);
    let id: RpcId | null = null;
    try {
      const body = parseJsonBody(request.body);
      if (isNotification(body)) {
        admission.dismiss();
        return await reply.code(202).send();
      }
      id = findRpcId(body);
      const { method, params } = parseEnvelope(body);
      const row = rows.get(method);
      if (row === undefined) throw new RpcError(rpcCodes.method, `There is no method ${method.slice(0, 100)}.`);
      const exchange = await beginExchange(request, reply, row, params);
      const outcome = await runExchange(exchange, row, params, silentReporterFor(reply));
      if (outcome.refusal !== undefined && isHttpRefusal(outcome.refusal)) throw outcome.refusal;
      const text = serializeResult({ ...outcome, result: flattenResult(outcome) });
      return await reply
        .headers(replayHeaders(outcome.replayed === true))
        .type(jsonType)
        .send(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`);
    } catch (error) {
      if (!admission.settled) rejectMessage(request, error);
      const rpcError = toRpcErrorBody(error);
      if (rpcError === 'http') {
        const { status, headers, body } = renderHttpRefusal(challenges, error, request.id, { id });
        return reply.code(status).headers(headers).send(body);
      }
      if (rpcError === 'broken') log('a request failed', describeRequestFailure(request, error));
      const body: RpcErrorBody = rpcError === 'broken' ? internalErrorBody(request.id) : rpcError;
      return reply.send({ jsonrpc: '2.0', id, error: body });
    }
  };
}

function isNotification(body: unknown): boolean {
  return isObject(body) && typeof body['method'] === 'string' && !('id' in body);
}

/**
 * Adds the members of a tool's structured result beside its `content`, for plain clients. Members of the protocol win.
 */
export function flattenResult({ result }: Pick<McpOutcome, 'result'>): Record<string, unknown> {
  const { structuredContent } = result;
  return isObject(structuredContent) ? { ...structuredContent, ...result } : result;
}
