// The Streamable HTTP transport: parses a message and begins its audited call. A plain request with an answer of one
// message runs its method directly; the official SDK answers everything else.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describeRequestFailure } from '../../bindings/request-failure.ts';
import { headerOf } from '../../pipeline/request-context.ts';
import { admissionOf } from '../../pipeline/request.ts';
import {
  toRpcErrorBody,
  isObject,
  parseJsonBody,
  RpcError,
  rpcCodes,
  type RpcErrorBody,
  type RpcId,
} from '../../wire/rpc-envelope.ts';
import { replayHeaders } from '../../pipeline/idempotency.ts';
import { renderHttpRefusal, renderMcpError } from './mcp-errors.ts';
import { parseDirectRequest } from './direct-request.ts';
import {
  beginExchange,
  silentReporterFor,
  runExchange,
  rejectMessage,
  type TransportOptions,
  type McpExchange,
  type AuditedMethod,
} from './exchange.ts';
import { sdkMethods, serverInfoOf } from './handshake.ts';
import { createSdkTransport } from './sdk-transport.ts';
import type { MessageHandler } from './plain-rpc.ts';

export function createStreamableHttp(options: TransportOptions): MessageHandler {
  const { challenges, version, log, methods } = options;
  const ownMethods = new Map(methods.map((row) => [row.method, row]));
  const knownMethods = new Map<string, AuditedMethod>([...sdkMethods, ...methods].map((row) => [row.method, row]));
  const info = serverInfoOf(version);
  const logFailure = (request: FastifyRequest, error: unknown): string => {
    log('a request failed', describeRequestFailure(request, error));
    return request.id;
  };
  const sdkTransport = createSdkTransport({ info, methods, logFailure });

  return async (request, reply) => {
    const admission = admissionOf(request);
    const message = parseMessage(request.body);
    if (message instanceof RpcError) {
      rejectMessage(request, message);
      return sendRpcError(reply, null, message);
    }
    const { body, method, id, params } = message;
    const row = method === undefined ? undefined : knownMethods.get(method);
    if (id === undefined || row === undefined) {
      // Notifications have no effect on this server, so they are not audited.
      if (id === undefined) admission.dismiss();
      else rejectMessage(request, new RpcError(rpcCodes.method, 'no such method'));
      return sdkTransport({ request, body, method, exchange: undefined }, reply);
    }
    let exchange: McpExchange;
    try {
      exchange = await beginExchange(request, reply, row, params);
    } catch (error) {
      if (!admission.settled) rejectMessage(request, error);
      const rpcError = toRpcErrorBody(error);
      if (rpcError === 'broken') throw error;
      if (rpcError !== 'http') return sendRpcError(reply, id, rpcError);
      const { status, headers, body: problem } = renderHttpRefusal(challenges, error, request.id, { id });
      return reply.code(status).headers(headers).send(problem);
    }
    const ownMethod = ownMethods.get(row.method);
    const mayStream = ownMethod === undefined || ownMethod.isLongRunning?.(params) === true;
    const direct = mayStream ? undefined : parseDirectRequest(body, (name) => headerOf(request, name), info);
    if (ownMethod === undefined || direct === undefined)
      return sdkTransport({ request, body, method, exchange }, reply);
    const answer = await runExchange(exchange, ownMethod, direct.params, silentReporterFor(reply)).then(
      (outcome) => {
        reply.headers(replayHeaders(outcome.replayed === true));
        return direct.result(outcome);
      },
      (error: unknown) => direct.error(renderMcpError(error, (fault) => logFailure(request, fault))),
    );
    return reply.headers({ ...direct.headers }).send(answer);
  };
}

interface ParsedMessage {
  readonly body: Record<string, unknown>;
  readonly method: string | undefined;
  /** Undefined for a message that is not a request and gets no answer. */
  readonly id: RpcId | undefined;
  readonly params: unknown;
}

function parseMessage(bytes: unknown): ParsedMessage | RpcError {
  try {
    const body = parseJsonBody(bytes);
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

function sendRpcError(reply: FastifyReply, id: RpcId | null, { code, message, data }: RpcErrorBody): FastifyReply {
  const error = { code, message, data };
  return reply.code(400).send({ jsonrpc: '2.0', id, error });
}
