// The door of the tool protocol: its paths, each message through the hallway to one method. Clients of the protocol are
// answered by its own library, everybody else as plain JSON-RPC; both reach the same methods. choices §7.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { asHttpError } from '../wire/problem.ts';
import { knockOf, pathOf, visitorOf } from '../bindings/rest.ts';
import { takeBytes } from '../bindings/rpc.ts';
import type { Mcp } from './build.ts';
import { refusalOf } from './transport/challenge.ts';
import type { DoorOptions } from './transport/exchange.ts';
import type { Guard } from './transport/guard.ts';
import { plainDoor } from './transport/plain-door.ts';
import { standardDoor } from './transport/standard-door.ts';

export interface McpDoorOptions extends Omit<DoorOptions, 'methods' | 'challenges'> {
  readonly guard: Guard;
  /** Bytes. */
  readonly bodyLimit: number;
}

/** document 2 §4.1, and paths that narrow what is seen. */
const paths = ['/mcp', '/mcp/v1/rpc', '/mcp/x/:toolset', '/mcp/x/:toolset/readonly', '/mcp/c/:codebase'];

export function mountMcp(app: FastifyInstance, { methods, challenges }: Mcp, options: McpDoorOptions): void {
  guardDoor(app, options.guard);
  const door = { ...options, methods, challenges };
  const [plain, standard] = [plainDoor(door), standardDoor(door)];
  app.register((scope, _options, done) => {
    takeBytes(scope);
    scope.setErrorHandler((error: Error, request, reply) => {
      const refusal = asHttpError(error);
      if (refusal.kind !== 'unauthenticated' && refusal.kind !== 'forbidden') throw error;
      const { status, headers, body } = refusalOf(challenges, refusal, request.id);
      return reply.code(status).headers(headers).send(body);
    });
    for (const url of paths) {
      const enter = async (request: FastifyRequest): Promise<void> => {
        const knock = knockOf(request);
        request.visitor = { caller: await options.hallway.enter(knock), knock, heard: false };
      };
      scope.route({
        method: 'POST',
        url,
        bodyLimit: options.bodyLimit,
        onRequest: enter,
        handler: (request, reply) => (speaksProtocol(request) ? standard : plain)(request, reply),
      });
      // No stream to listen to, no session to end. A request without credentials does not learn that much.
      scope.route({
        method: ['GET', 'DELETE'],
        url,
        onRequest: enter,
        handler: (request, reply) => {
          visitorOf(request).heard = true;
          const error = { code: -32_000, message: 'Method not allowed: POST a message.' };
          return reply.code(405).header('allow', 'POST').send({ jsonrpc: '2.0', id: null, error });
        },
      });
    }
    done();
  });
}

/** A client of the protocol says so by its version, or by taking streams. */
function speaksProtocol({ headers }: FastifyRequest): boolean {
  return headers['mcp-protocol-version'] !== undefined || headers.accept?.includes('text/event-stream') === true;
}

/** Before credentials: on every path of the tool protocol. */
function guardDoor(app: FastifyInstance, guard: Guard): void {
  app.addHook('onRequest', (request, _reply, done) => {
    try {
      if (guarded.test(pathOf(request))) guard(request.headers.host, request.headers.origin);
      done();
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

const guarded = /^\/(?:mcp(?:\/|$)|\.well-known\/oauth-protected-resource)/i;
