// Messages of the protocol's own transport that its official library answers: it checks the protocol's rules, and asks our
// methods for what is theirs.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { disconnectSignal } from '../../pipeline/request-context.ts';
import { RpcError, rpcCodes } from '../../wire/rpc-envelope.ts';
import { runExchange, type McpExchange } from './exchange.ts';
import { instructions } from './handshake.ts';
import type { McpMethod } from '../methods/methods.ts';
import { createSdkHandler, type ServerInfo } from './sdk-server.ts';

export interface SdkTransportOptions {
  readonly info: ServerInfo;
  /** Those that are ours; the others are the library's own. */
  readonly methods: readonly McpMethod[];
  /** Hears of faults of ours. @returns the id under which the log has it */
  readonly logFailure: (request: FastifyRequest, error: unknown) => string;
}

/** A message on its way through the library. */
export interface SdkMessage {
  readonly request: FastifyRequest;
  readonly body: Record<string, unknown>;
  /** Undefined: it is no call of anything, and nobody is asked. */
  readonly exchange: McpExchange | undefined;
  readonly method: string | undefined;
}

/** @returns answers a message of which nothing may be right */
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
      if (exchange === undefined || row === undefined) throw new Error(`${method} came around the hallway`);
      return (await runExchange(exchange, row, params, reporter)).result;
    },
    logFailure(web, error) {
      const request = messages.get(web)?.request;
      return request === undefined ? '' : logFailure(request, error);
    },
  });

  return async (message: SdkMessage, reply: FastifyReply): Promise<unknown> => {
    const { request, body, exchange, method = '' } = message;
    // Whatever the library refused before it asked a method, and whom it lost on the way.
    reply.raw.once('close', () => exchange?.call.failed(refusedBySdk));
    const web = toWebRequest(request, disconnectSignal(reply));
    messages.set(web, message);
    const response = await sdkHandler.fetch(web, { parsedBody: body });
    const ownMethod = ownMethods.get(method);
    if (ownMethod === undefined && response.ok) await exchange?.call.succeeded();
    // What has one message to send goes out in one piece.
    return relayResponse(
      response,
      reply,
      ownMethod === undefined || ownMethod.isLongRunning?.(body['params']) === true,
    );
  };
}

/** What the library looks at of a request; its credentials stay here. */
const forwardedHeaders = /^(content-type|mcp-.*)$/;
/** A client that names a version takes both forms, whatever it says. */
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
  return reply.send(streams ? Readable.fromWeb(response.body) : await response.text());
}
