// The HTTP application: one Fastify instance with its body parser, its error handler and its answer to unknown paths.
import { randomUUID } from 'node:crypto';
import { maxHeaderSize } from 'node:http';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { DomainError } from '../domain/model/errors.ts';
import { findJsonViolation } from '../lib/json/json-violation.ts';
import type { Tracer } from '../lib/trace/tracer.ts';
import { hasMoreValues, parseJson, tooManyValues } from '../lib/json/json-text.ts';
import type { UnreadAnswers } from '../domain/limits/unread-answers.ts';
import type { RateLimitDecision } from '../domain/limits/call-window.ts';
import type { RequestPipeline } from './pipeline/request-pipeline.ts';
import { describeRequestFailure, type RequestFailure } from './bindings/request-failure.ts';
import { callLimitHeaders } from './pipeline/call-limit-headers.ts';
import { traceRequests } from './wire/request-span.ts';
import { toDomainError, frameworkErrorToDomain, renderProblem } from './wire/problem.ts';
import { OpenCalls } from './pipeline/open-calls.ts';
import { isPagePath, createPageGuard } from './pages/page-guard.ts';
import { inboundRequestOf, noSuchRoute, pathOf, recordFailure, resourceOf } from './pipeline/request.ts';
import { invalidInput } from './pipeline/schema.ts';
import { smallBodyBytes, defaultReaderTimeoutMs } from './bindings/stream.ts';

export interface AppOptions {
  readonly pipeline: RequestPipeline;
  /** Addresses of proxies whose `X-Forwarded-*` headers are trusted. */
  readonly trustedProxies: readonly string[];
  readonly maxBodyBytes: number;
  /** Aborts when the service stops: streams end, other calls are still answered. */
  readonly stopping: AbortSignal;
  /** True once the service is draining: answers close their connection. */
  readonly draining?: () => boolean;
  /** Called after every answer. @param operation `unknown` for a request that is no REST operation */
  readonly onResponse?: (operation: string, status: number) => void;
  /** Records a span of each request; undefined turns tracing off. */
  readonly tracer?: Tracer | undefined;
  /** Milliseconds for which a client may read nothing of a large answer before it is disconnected. Streams have their own limit. */
  readonly readerTimeoutMs?: number;
  readonly log: (line: string, details: RequestFailure) => void;
}

const maxDepth = 64;

/** Builds the application without routes. Each route that is mounted later must call the request pipeline itself. */
export function createApp(options: AppOptions): FastifyInstance {
  const app = Fastify({
    logger: false,
    genReqId: () => randomUUID(),
    bodyLimit: options.maxBodyBytes,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    // Limits slow senders: headers within 15 s, a whole request within 60 s.
    requestTimeout: 60_000,
    // Longer than any request head that Node accepts: a request that the router itself rejects would bypass the pipeline.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxHeaderSize },
    rewriteUrl: ({ url = '/' }) => toDecodablePath(url),
  });
  app.server.headersTimeout = 15_000;
  app.decorate('stopping', options.stopping).decorate('openCalls', new OpenCalls(options.stopping));
  app.decorate('unread', options.pipeline.unread);
  app.decorateRequest('call', undefined).decorateRequest('admission', undefined).decorateRequest('span', undefined);
  installJsonParser(app);
  if (options.tracer !== undefined) traceRequests(app, options.tracer);
  app.addHook('onRequest', (request, reply, done) => {
    if (hasTwoHosts(request.raw.rawHeaders)) return rejectTwoHosts(request, reply);
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    if (options.draining?.() === true) reply.header('connection', 'close');
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    // The error handler rejects the admission, so the error answer passes here.
    if (request.admission?.settled === false) return done(unsettledError(request));
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (!isText || payload.length <= smallBodyBytes) return done();
    try {
      countUnread(options.pipeline.unread, request, reply, Buffer.byteLength(payload));
    } catch (error) {
      return done(toDomainError(error));
    }
    // The timeout belongs to the connection. It restarts whenever the client reads, and the next request clears it.
    reply.raw.setTimeout(options.readerTimeoutMs ?? defaultReaderTimeoutMs);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    options.onResponse?.(request.routeOptions.config.operation ?? 'unknown', reply.raw.statusCode);
    done();
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = frameworkErrorToDomain(error);
    recordFailure(request, refusal);
    if (refusal.code === 'body_too_large' && options.draining?.() !== true) allowBodyDrain(request, reply);
    if (refusal.kind === 'internal') options.log('a request failed', describeRequestFailure(request, error));
    const problem = renderProblem(refusal, request.id);
    return reply.code(problem.status).headers(problem.headers).send(problem.body);
  });
  rejectUnknownPaths(app, options.pipeline);
  return app;
}

/**
 * Counts a large answer until its connection closes. The answer of a change is sent whatever the count is: its caller would
 * believe that nothing was changed. @throws DomainError limited
 */
function countUnread(unread: UnreadAnswers, { call }: FastifyRequest, { raw }: FastifyReply, bytes: number): void {
  if (call === undefined) return;
  const release = call.changes ? unread.track(call.caller, bytes) : unread.reserve(call.caller, bytes);
  if (raw.closed) release();
  else raw.once('close', release);
}

/** A bug of an endpoint: it would answer although nothing authorized or audited the request. */
function unsettledError(request: FastifyRequest): Error {
  return new Error(
    `${request.method} ${pathOf(request)} was answered before its admission had begun, been rejected or dismissed`,
  );
}

/** Reads the raw headers: `headers` keeps only the first of a repeated header. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/**
 * RFC 9112 §3.2: a server and the proxy in front of it may choose different lines as the host. The answer is a problem body
 * on every path, because no protocol defines an error for an invalid HTTP request. The connection is closed.
 */
function rejectTwoHosts(request: FastifyRequest, reply: FastifyReply): void {
  const refusal = new DomainError('invalid', 'invalid_host', 'Send exactly one Host header.');
  const { status, headers, body } = renderProblem(refusal, request.id);
  void reply.code(status).headers(headers).header('connection', 'close').send(body);
}

/**
 * Escapes the percent signs of a path that cannot be decoded. The router would reject such a path itself; escaped, it is an
 * unknown path like any other and passes through the pipeline.
 */
function toDecodablePath(url: string): string {
  if (!url.includes('%')) return url;
  const [path = ''] = url.split('?', 1);
  try {
    decodeURI(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}

/**
 * Fastify closes the connection of a body that is too large. A client that is still sending would get a reset instead of the
 * answer (EPIPE: most clients read only after they have written), so a body of up to `maxDrainedBytes` is read and dropped.
 * The request timeout limits how long that takes.
 */
function allowBodyDrain(request: FastifyRequest, reply: FastifyReply): void {
  if (Number(request.headers['content-length']) <= maxDrainedBytes) reply.removeHeader('connection');
}

const maxDrainedBytes = 256 * 1024 * 1024;

/**
 * Authenticates before it answers 404, so that an anonymous caller cannot probe for paths, and before the body is read, as on
 * paths that exist.
 */
function rejectUnknownPaths(app: FastifyInstance, pipeline: RequestPipeline): void {
  const guard = createPageGuard(pipeline);
  const reject = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const path = pathOf(request);
    const missing = noSuchRoute(request);
    if (isPagePath(path)) {
      if ((await guard(request, reply)) !== undefined) return reply;
      throw missing;
    }
    const admission = await pipeline.authenticate(inboundRequestOf(request), request);
    const operation = { name: 'http.unknown', resource: resourceOf(path) };
    if (!automationPath.test(path)) {
      admission.reject(operation, missing);
      throw missing;
    }
    const onUsage = (decision: RateLimitDecision): void => void reply.headers(callLimitHeaders(decision));
    request.call = await admission.begin({ ...operation, ...readAccess, onUsage });
    throw missing;
  };
  // Every request passes here: only an unknown path pays for a promise.
  app.addHook('onRequest', (request, reply, done): unknown => (request.is404 ? reject(request, reply) : done()));
  // Never reached: the hook has rejected the request.
  app.setNotFoundHandler((request) => {
    throw new Error(`no hook rejected ${request.method} ${pathOf(request)}`);
  });
}

/** Paths below which every call counts against the call limit, including those to unknown paths. choices-9. */
const automationPath = /^\/v1\/automation(?:\/|$)/i;
const readAccess = { permission: 'any_credential', changes: false } as const;

/** Parses JSON once and rejects forbidden content before anything else reads it. */
function installJsonParser(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) =>
    done(isEncoded(request) ? encodedBody() : null, payload),
  );
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ['application/json', 'application/a2a+json'],
    { parseAs: 'buffer' },
    (request: FastifyRequest, body: Buffer, done: (error: Error | null, value?: unknown) => void) => {
      request.rawBodyBytes = body.length;
      if (body.length === 0) return done(null, undefined);
      if (hasMoreValues(body)) return done(tooLarge());
      let value: unknown;
      try {
        value = parseJson(body);
      } catch (error) {
        return done(
          new DomainError('invalid', 'invalid_json', 'The body is not valid JSON in UTF-8.', { cause: error }),
        );
      }
      const violation = findJsonViolation(value, maxDepth);
      return violation === undefined ? done(null, value) : done(invalidInput([violation]));
    },
  );
}

function isEncoded({ headers }: FastifyRequest): boolean {
  const encoding = headers['content-encoding'];
  return encoding !== undefined && encoding.toLowerCase() !== 'identity';
}

function encodedBody(): DomainError {
  return new DomainError('unsupported_type', 'encoded_body', 'The body is encoded. Send it without Content-Encoding.');
}

/** Rejects a body within the size limit whose parsing would still block the process for too long. */
function tooLarge(): DomainError {
  return new DomainError('too_large', 'too_many_values', `The body holds ${tooManyValues}.`);
}

declare module 'fastify' {
  interface FastifyInstance {
    stopping: AbortSignal;
    openCalls: OpenCalls;
    unread: UnreadAnswers;
  }
  interface FastifyRequest {
    /** Bytes of the body as received; undefined without one. */
    rawBodyBytes: number | undefined;
  }
}
