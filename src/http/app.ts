// The HTTP application: one Fastify instance, its body parser, its errors, the doors mounted on it.
import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify';
import { DomainError, notFound } from '../domain/model/errors.ts';
import { findStain } from '../lib/json-hygiene.ts';
import { hasMoreValues, maxJsonValues, parseJson } from '../lib/json-text.ts';
import type { Hallway } from './admit.ts';
import { asDomainError, renderProblem } from './problem.ts';
import { isPagePath, pageGuard } from './pages/guard.ts';
import { knockOf, pathOf } from './rest.ts';
import { invalidInput } from './schema.ts';

export interface AppOptions {
  readonly hallway: Hallway;
  /** Addresses whose `X-Forwarded-*` is believed. */
  readonly trustedProxies: readonly string[];
  readonly maxBodyBytes: number;
  /** Aborts when the service stops: streams end, other calls are answered. */
  readonly stopping: AbortSignal;
  readonly log: (line: string, details: { requestId: string; error: unknown }) => void;
}

const maxDepth = 64;

/** Doors add their routes to what this answers; nothing is reachable without the hallway but what they say. */
export function createApp(options: AppOptions): FastifyInstance {
  const app = Fastify({
    logger: false,
    genReqId: () => randomUUID(),
    bodyLimit: options.maxBodyBytes,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    // Slow senders: headers within 15 s, a whole request within 60 s.
    requestTimeout: 60_000,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    frameworkErrors: (error, request, reply) => {
      const problem = renderProblem(asHttpError(error), request.id);
      reply.raw.writeHead(problem.status, problem.headers).end(JSON.stringify(problem.body));
    },
  });
  app.server.headersTimeout = 15_000;
  app.decorate('stopping', options.stopping);
  app.decorateRequest('call', undefined).decorateRequest('visitor', undefined);
  takeJson(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    done();
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = asHttpError(error);
    request.call?.failed(refusal);
    if (refusal.kind === 'internal') options.log('a request failed', { requestId: request.id, error });
    const problem = renderProblem(refusal, request.id);
    return reply.code(problem.status).headers(problem.headers).send(problem.body);
  });
  // Who has no credential does not learn which paths exist.
  const guard = pageGuard(options.hallway);
  app.setNotFoundHandler(async (request: FastifyRequest, reply) => {
    if (!isPagePath(pathOf(request))) await options.hallway.enter(knockOf(request));
    else if ((await guard(request, reply)) !== undefined) return reply;
    throw new DomainError('not_found', 'no_such_route', `There is no ${request.method} ${pathOf(request)}.`);
  });
  return app;
}

/** JSON is parsed once, here, and looked over before anything uses it. */
function takeJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ['application/json', 'application/a2a+json'],
    { parseAs: 'buffer' },
    (request: FastifyRequest, body: Buffer, done: (error: Error | null, value?: unknown) => void) => {
      request.rawBodyBytes = body.length;
      if (body.length === 0) return done(null, undefined);
      if (hasMoreValues(body)) return done(tooManyValues());
      let value: unknown;
      try {
        value = parseJson(body);
      } catch (error) {
        return done(
          new DomainError('invalid', 'invalid_json', 'The body is not valid JSON in UTF-8.', { cause: error }),
        );
      }
      const stain = findStain(value, maxDepth);
      return stain === undefined ? done(null, value) : done(invalidInput([stain]));
    },
  );
}

/** A body within its size that would still hold up everybody else while it is parsed. */
function tooManyValues(): DomainError {
  return new DomainError('too_large', 'too_many_values', `The body holds more than ${maxJsonValues} JSON values.`);
}

declare module 'fastify' {
  interface FastifyInstance {
    stopping: AbortSignal;
  }
  interface FastifyRequest {
    /** Size of the body as it came; undefined without one. */
    rawBodyBytes: number | undefined;
  }
}

/** Errors of the framework in the words of the domain. */
function asHttpError(error: FastifyError | Error): DomainError {
  const code = 'code' in error ? error.code : '';
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new DomainError('too_large', 'body_too_large', 'The body is larger than this call takes.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new DomainError('unsupported_type', 'not_json', 'Send the body as Content-Type: application/json.');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return new DomainError('invalid', 'invalid_body', 'The body does not have the length that its header says.');
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_ASYNC_CONSTRAINT':
      return new DomainError('invalid', 'invalid_url', 'The address of this request is malformed.');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return notFound('task');
    default:
      return asDomainError(error);
  }
}
