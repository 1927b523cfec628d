// Passes Streamable HTTP messages to the official SDK, which checks the protocol's rules and calls our methods.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { disconnectSignal } from '../../pipeline/request-context.ts';
import { RpcError, rpcCodes } from '../../wire/rpc-envelope.ts';
import { runExchange, type McpExchange } from './exchange.ts';
import { instructions } from './handshake.ts';
import type { McpMethod } from '../methods/methods.ts';
import { createSdkHandler, type ServerInfo } from './sdk-server.ts';

export interface SdkTransportOptions {
  readonly info: ServerInfo;
  /** Our methods; the SDK answers all others itself. */
  readonly methods: readonly McpMethod[];
  /** Logs an internal error. @returns the id under which the log has it */
  readonly logFailure: (request: FastifyRequest, error: unknown) => string;
}

/** A message that the SDK answers. */
export interface SdkMessage {
  readonly request: FastifyRequest;
  readonly body: Record<string, unknown>;
  /** Undefined for a message that is not a call: the SDK answers it without a method of ours. */
  readonly exchange: McpExchange | undefined;
  readonly method: string | undefined;
}

/** @returns answers a message; nothing of it needs to be valid */
export function createSdkTransport({ info, methods, logFailure }: SdkTransportOptions) {
  const ownMethods = new Map(methods.map((row) => [row.method, row]));
  const refusedBySdk = new RpcError(rpcCodes.request, 'refused by the protocol');
  const messages = new WeakMap<Request, SdkMessage>();
  const sdkHandler = createSdkHandler({
    info,
    instructions,
    methods: [...ownMethods.keys()],
    async runMethod(web, method, params, reporter) {
      const exchange = messages.get(web)?.exchange;
      const row = ownMethods.get(method);
      if (exchange === undefined || row === undefined)
        throw new Error(`${method} was not admitted by the request pipeline`);
      return (await runExchange(exchange, row, params, reporter)).result;
    },
    logFailure(web, error) {
      const request = messages.get(web)?.request;
      return request === undefined ? '' : logFailure(request, error);
    },
  });

  return async (message: SdkMessage, reply: FastifyReply): Promise<unknown> => {
    const { request, body, exchange, method = '' } = message;
    // Ends the call in the audit when the SDK rejected the message before it ran a method, or the client disconnected.
    reply.raw.once('close', () => exchange?.call.failed(refusedBySdk));
    const web = toWebRequest(request, disconnectSignal(reply));
    messages.set(web, message);
    const response = await sdkHandler.fetch(web, { parsedBody: body });
    const ownMethod = ownMethods.get(method);
    if (ownMethod === undefined && response.ok) await exchange?.call.succeeded();
    // An answer of one message is sent in one piece, not as a stream.
    return relayResponse(
      response,
      reply,
      ownMethod === undefined || ownMethod.isLongRunning?.(body['params']) === true,
    );
  };
}

/** The headers that the SDK reads; credentials are not passed on. */
const forwardedHeaders = /^(content-type|mcp-.*)$/;
/** Fixed, because a client that names a protocol version accepts both forms, whatever its header says. */
const acceptHeader: [string, string] = ['accept', 'application/json, text/event-stream'];

function toWebRequest({ url, headers }: FastifyRequest, signal: AbortSignal): Request {
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    forwardedHeaders.test(name) && typeof value === 'string' ? [[name, value]] : [],
  );
  return new Request(`http://switchyard${url}`, { method: 'POST', headers: [acceptHeader, ...kept], signal });
}

async function relayResponse(response: Response, reply: FastifyReply, mayStream: boolean): Promise<unknown> {
  reply.code(response.status);
  for (const [name, value] of response.headers) reply.header(name, value);
  if (response.body === null) return reply.send();
  const streams = mayStream && response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  return reply.send(streams ? response.body : await response.text());
}
