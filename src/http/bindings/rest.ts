// The REST envelope: mounts tables of operations as routes, each request through the hallway to one verb.
import { Readable } from 'node:stream';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Caller } from '../../domain/model/access/caller.ts';
import { notFound } from '../../domain/model/errors.ts';
import { plainAddress } from '../../lib/net/client-address.ts';
import { demandsChange, type RequestPipeline } from '../pipeline/request-pipeline.ts';
import type { AuditedCall } from '../pipeline/audited-call.ts';
import { mountBinaryRoutes } from '../wire/binary-body.ts';
import { callLimitHeaders } from '../pipeline/call-limit-headers.ts';
import { parseIdempotencyKey } from '../pipeline/idempotency.ts';
import type { InboundRequest } from '../pipeline/inbound-request.ts';
import type { Answer, Operation, RequestContext } from '../pipeline/operation.ts';
import { frameworkErrorToDomain } from '../wire/problem.ts';
import { FastifyRequestContext, headerOf, FastifyRequestView } from '../pipeline/request-context.ts';
import { traceparentOf } from '../pipeline/request-span.ts';
import { RpcError } from '../wire/rpc-envelope.ts';
import type { SchemaCompiler } from '../pipeline/schema.ts';
import { streamErrorLogger, sendStream, unreadCounter, type StreamLog } from './stream.ts';

export interface RestOptions {
  readonly pipeline: RequestPipeline;
  readonly schemas: SchemaCompiler;
  /** Bytes; `largeBodyBytes` where files travel. */
  readonly maxBodyBytes: number;
  readonly largeBodyBytes: number;
  readonly log: StreamLog;
  /** Called with every answer's body, in tests: proves that what goes out has the published shape. */
  readonly checkResponse?: (operation: Operation, status: number, body: unknown) => void;
}

/**
 * Mounts every operation of the tables.
 * @throws when a row has no permission, or a schema that cannot be published: the start stops
 */
export function mountRest(app: FastifyInstance, operations: readonly Operation[], options: RestOptions): void {
  for (const row of operations) {
    if (!row.permission) throw new Error(`The operation ${row.name} names no permission.`);
  }
  mountRows(
    app,
    operations.filter(({ rawBody }) => rawBody !== true),
    options,
  );
  mountBinaryRoutes(app, (bytes) =>
    mountRows(
      bytes,
      operations.filter(({ rawBody }) => rawBody === true),
      options,
    ),
  );
}

function mountRows(app: FastifyInstance, operations: readonly Operation[], options: RestOptions): void {
  for (const row of operations) {
    const parse = buildParsers(row, options.schemas);
    const changes = row.method !== 'GET' && demandsChange(row.permission);
    app.route({
      method: row.method,
      config: { operation: row.name },
      url: routePatternOf(row.path),
      ...(row.renderError === undefined ? {} : { errorHandler: errorHandlerFor(row.renderError) }),
      bodyLimit: row.largeBody === true ? options.largeBodyBytes : options.maxBodyBytes,
      // Before the body is read: who may not, sends no bytes we keep.
      onRequest: async (request, reply) => {
        const inbound = inboundRequestOf(request);
        const caller = await options.pipeline.authenticate(inbound);
        if (row.resolveCall !== undefined) {
          request.admission = { caller, request: inbound, settled: false };
          return;
        }
        const { name, permission } = row;
        request.call = await options.pipeline.begin(caller, inbound, {
          name,
          permission,
          changes,
          resource: resourceOf(pathOf(request)),
          onUsage: row.rateLimited === true ? (decision) => void reply.headers(callLimitHeaders(decision)) : undefined,
        });
      },
      handler: async (request, reply) => {
        if (row.resolveCall !== undefined)
          request.call = await beginNamedCall(row, row.resolveCall, request, options.pipeline);
        const input = {
          params: parse.params(request.params),
          query: parse.query(request.query),
          body: parse.body(request.body),
          raw: request.body instanceof Uint8Array ? request.body : noBytes,
          context: buildRequestContext(row, request, reply),
        };
        // What the parsers let through is what the row's own schemas describe.
        const answer = await row.run(callOf(request).caller, input);
        return send(row, answer, request, reply, options);
      },
    });
  }
}

/** Begins a call of which the body alone says what it is. */
function beginNamedCall(
  row: Operation,
  resolveCall: NonNullable<Operation['resolveCall']>,
  request: FastifyRequest,
  pipeline: RequestPipeline,
): Promise<AuditedCall> {
  const admission = admissionOf(request);
  admission.settled = true;
  const namedCall = resolveCall(request.body, new FastifyRequestView(request));
  return pipeline.begin(admission.caller, admission.request, {
    name: namedCall?.name ?? row.name,
    permission: row.permission,
    additionalPermission: namedCall?.permission,
    changes: namedCall?.changes ?? demandsChange(row.permission),
    resource: resourceOf(pathOf(request)),
  });
}

const noBytes = new Uint8Array();

/** A path as the router writes it: a literal colon is doubled, and a parameter before one ends there. */
function routePatternOf(path: string): string {
  return path.replace(/(\/:\w+)?(?<!\/):(\w+)$/, (_all, parameter: string | undefined, verb: string) =>
    parameter === undefined ? `::${verb}` : `${parameter}(^[^:/]+)::${verb}`,
  );
}

/**
 * Refuses what is not there below a base in the words of the rows that are.
 * @param renderError hears of it as `no_such_route`
 */
export function renderErrorsBelow(
  app: FastifyInstance,
  base: string,
  renderError: NonNullable<Operation['renderError']>,
): void {
  app.register(
    (scope, _options, done) => {
      scope.setErrorHandler(errorHandlerFor(renderError));
      // Never reached: the application's hook has refused.
      scope.setNotFoundHandler((request) => {
        throw new Error(`no hook refused ${request.method} ${pathOf(request)}`);
      });
      done();
    },
    { prefix: base },
  );
}

/** What a row says of an error in its own protocol's words; what it leaves goes on to the problem body. */
function errorHandlerFor(renderError: NonNullable<Operation['renderError']>) {
  return (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void => {
    const answer = renderError(
      error instanceof RpcError ? error : frameworkErrorToDomain(error),
      new FastifyRequestView(request),
    );
    if (answer === undefined) throw error;
    request.call?.failed(error);
    void reply
      .code(answer.status)
      .headers({ ...answer.headers })
      .send(answer.body);
  };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which one a route is, where it is one. */
    operation?: string;
  }
  interface FastifyRequest {
    /** Set by the hallway before the body is read. */
    call: AuditedCall | undefined;
    /** Who came to a door that learns from the body alone which operation is meant. */
    admission: Admission | undefined;
  }
}

export interface Admission {
  readonly caller: Caller;
  readonly request: InboundRequest;
  /** Its handler has begun. */
  settled: boolean;
}

export function admissionOf(request: FastifyRequest): Admission {
  if (request.admission === undefined) throw new Error('a handler ran before the hallway');
  return request.admission;
}

function callOf(request: FastifyRequest): AuditedCall {
  if (request.call === undefined) throw new Error('a handler ran before the hallway');
  return request.call;
}

export function inboundRequestOf(request: FastifyRequest): InboundRequest {
  const { rawHeaders, socket } = request.raw;
  return {
    authorization: headersNamed(rawHeaders, 'authorization'),
    tenants: request.headers['x-tenant-id'] === undefined ? [] : headersNamed(rawHeaders, 'x-tenant-id'),
    // What a proxy hands on that is no address names nobody: then it is the proxy that asks.
    address: plainAddress(request.ip) ?? plainAddress(socket.remoteAddress ?? '') ?? request.ip,
    requestId: request.id,
    traceparent: traceparentOf(request),
  };
}

/** The path of a request, without its query. */
export function pathOf(request: FastifyRequest): string {
  const query = request.url.indexOf('?');
  return query < 0 ? request.url : request.url.slice(0, query);
}

/** A path as the audit names it: whatever else somebody put into one, a token or a text, is left out. */
export function resourceOf(path: string): string {
  if (plainPath.test(path)) return path;
  return path
    .split('/')
    .map((part) => (part === '' || plainPart.test(part) ? part : '…'))
    .join('/')
    .slice(0, 300);
}

/** Ids, names of resources, versions; not the form of a key. */
const plainPart = /^(?!ct_)[\w.:~@-]{1,64}$/;
const plainPath = /^(?:\/(?!ct_)[\w.:~@-]{0,64}){1,8}$/;

/** Every occurrence of a header: `headers` would drop all but the first, `headersDistinct` sorts all that came. */
function headersNamed(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, i) => {
    const before = i % 2 === 1 ? (rawHeaders[i - 1] ?? '') : '';
    return before.length === name.length && before.toLowerCase() === name;
  });
}

type Parse = (value: unknown) => unknown;

/** What a row does not ask for is refused by its name, as in one that asks for something else. */
const noFields = z.strictObject({});

function buildParsers(row: Operation, schemas: SchemaCompiler): { params: Parse; query: Parse; body: Parse } {
  const body = row.rawBody === true ? () => undefined : schemas.body(row.body ?? noFields);
  return {
    params: row.params === undefined ? () => undefined : idParser(row, schemas.text(row.params, 'params')),
    query: schemas.text(row.query ?? noFields, 'query'),
    // No body is an empty one: the schema says what is missing.
    body: (value) => body(value === undefined ? {} : value),
  };
}

/** An id that cannot exist is missing like any other: no caller learns which ids have the right form. */
function idParser(row: Operation, parse: Parse): Parse {
  return (value) => {
    try {
      return parse(value);
    } catch (error) {
      throw row.names === undefined ? error : notFound(row.names);
    }
  };
}

function buildRequestContext(row: Operation, request: FastifyRequest, reply: FastifyReply): RequestContext {
  return new FastifyRequestContext(callOf(request), request, reply, {
    idempotency:
      row.createsTask === true
        ? parseIdempotencyKey(
            headerOf(request, 'idempotency-key'),
            `${request.method} ${pathOf(request)}`,
            request.body ?? {},
          )
        : undefined,
    ifNoneMatch: headerOf(request, 'if-none-match'),
    wantsStream: /\btext\/event-stream\b/.test(request.headers.accept ?? ''),
  });
}

/** As the framework names it. */
export const jsonType = 'application/json; charset=utf-8';

async function send(
  row: Operation,
  answer: Answer,
  request: FastifyRequest,
  reply: FastifyReply,
  options: RestOptions,
): Promise<unknown> {
  const call = callOf(request);
  if ('pieces' in answer) {
    call.countAsStream(reply.raw);
    await call.succeeded();
    return reply.headers({ ...answer.headers }).send(Readable.from(answer.pieces, { objectMode: false }));
  }
  if (!('stream' in answer)) {
    options.checkResponse?.(row, answer.status, answer.body);
    if (answer.refusal === undefined) await call.succeeded();
    else call.failed(answer.refusal);
    reply.code(answer.status).headers({ ...answer.headers });
    // Not returned: a reply is one promise more to wait for. A 304 gets no body at all: the length of JSON's `null` would be
    // told as that of what its reader has kept.
    if (answer.text === undefined) reply.send(answer.status === 304 ? undefined : answer.body);
    else reply.type(jsonType).send(answer.text);
    return undefined;
  }
  if (answer.skipsStreamLimit !== true) call.countAsStream(reply.raw);
  await sendStream(
    reply.raw,
    answer.stream,
    { 'x-request-id': request.id, ...answer.headers },
    {
      heartbeats: answer.heartbeats,
      started: answer.started,
      stopping: reply.server.stopping,
      onStart: () => beginStream(call, request, reply),
      onError: streamErrorLogger(options.log, { request_id: request.id, operation: row.name }),
      unread: answer.skipsStreamLimit === true ? undefined : unreadCounter(reply.server.unread, call.caller),
    },
  );
  return reply;
}

/** Takes the reply over; before that an error is still answered the ordinary way. */
async function beginStream(call: AuditedCall, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await call.succeeded();
  reply.hijack();
  // The framework holds the request until its answer ends, which may be in hours: it need not hold all of this too.
  [request.call, request.admission] = [undefined, undefined];
  [request.raw.headers, request.raw.rawHeaders] = [{}, []];
}
