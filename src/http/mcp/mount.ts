// Mounts the MCP paths. Clients of the protocol get the Streamable HTTP transport, all others plain JSON-RPC; both run
// the same methods. choices-7.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestPipeline } from '../pipeline/request-pipeline.ts';
import { frameworkErrorToDomain } from '../wire/problem.ts';
import { admissionOf, inboundRequestOf, pathOf } from '../pipeline/request.ts';
import { installRawBodyParser } from '../bindings/rpc.ts';
import type { Mcp } from './build.ts';
import { isChallenged, renderHttpRefusal } from './transport/mcp-errors.ts';
import type { TransportOptions } from './transport/exchange.ts';
import type { OriginGuard } from './transport/origin-guard.ts';
import { createPlainRpc } from './transport/plain-rpc.ts';
import { createStreamableHttp } from './transport/streamable-http.ts';

export interface McpMountOptions extends Omit<TransportOptions, 'methods' | 'challenges'> {
  readonly pipeline: RequestPipeline;
  readonly guard: OriginGuard;
  /** Bytes. */
  readonly bodyLimit: number;
}

/** The paths of tools-4.1, and paths that narrow the tools of a request. */
const paths = ['/mcp', '/mcp/v1/rpc', '/mcp/x/:toolset', '/mcp/x/:toolset/readonly', '/mcp/c/:codebase'];

export function mountMcp(app: FastifyInstance, { methods, challenges }: Mcp, options: McpMountOptions): void {
  installOriginGuard(app, options.guard);
  const transportOptions = { ...options, methods, challenges };
  const [plainRpc, streamableHttp] = [createPlainRpc(transportOptions), createStreamableHttp(transportOptions)];
  app.register((scope, _options, done) => {
    installRawBodyParser(scope);
    scope.setErrorHandler((error: Error, request, reply) => {
      const refusal = frameworkErrorToDomain(error);
      if (!isChallenged(refusal)) throw error;
      const { status, headers, body } = renderHttpRefusal(challenges, refusal, request.id);
      return reply.code(status).headers(headers).send(body);
    });
    for (const url of paths) {
      const authenticate = async (request: FastifyRequest): Promise<void> => {
        await options.pipeline.authenticate(inboundRequestOf(request), request);
      };
      scope.route({
        method: 'POST',
        url,
        bodyLimit: options.bodyLimit,
        onRequest: authenticate,
        handler: (request, reply) => (isProtocolClient(request) ? streamableHttp : plainRpc)(request, reply),
      });
      // The service has no streams to listen to and no sessions to end. Only authenticated callers get this answer.
      scope.route({
        method: ['GET', 'DELETE'],
        url,
        onRequest: authenticate,
        handler: (request, reply) => {
          admissionOf(request).dismiss();
          const error = { code: -32_000, message: 'Method not allowed: POST a message.' };
          return reply.code(405).header('allow', 'POST').send({ jsonrpc: '2.0', id: null, error });
        },
      });
    }
    done();
  });
}

/** A client of the protocol sends a protocol version, or accepts event streams. */
function isProtocolClient({ headers }: FastifyRequest): boolean {
  return headers['mcp-protocol-version'] !== undefined || headers.accept?.includes('text/event-stream') === true;
}

/** Runs before authentication, on every MCP path. */
function installOriginGuard(app: FastifyInstance, guard: OriginGuard): void {
  app.addHook('onRequest', (request, _reply, done) => {
    try {
      if (guardedPaths.test(pathOf(request))) guard(request.headers.host, request.headers.origin);
      done();
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

const guardedPaths = /^\/(?:mcp(?:\/|$)|\.well-known\/oauth-protected-resource)/i;
