// The REST binding: mounts tables of operations as routes; each request passes through the pipeline to one operation.
import { Readable } from 'node:stream';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { notFound } from '../../domain/model/errors.ts';
import type { RequestPipeline } from '../pipeline/request-pipeline.ts';
import type { AuditedCall } from '../pipeline/audited-call.ts';
import { mountBinaryRoutes } from '../wire/binary-body.ts';
import { mountYamlRoutes } from './yaml-body.ts';
import { callLimitHeaders } from '../pipeline/call-limit-headers.ts';
import { parseIdempotencyKey } from '../pipeline/idempotency.ts';
import { operationRefOf, type OperationRef } from '../pipeline/inbound-request.ts';
import type { Answer, Operation, RequestContext } from '../pipeline/operation.ts';
import { frameworkErrorToDomain } from '../wire/problem.ts';
import { FastifyRequestContext, headerOf, FastifyRequestView } from '../pipeline/request-context.ts';
import { admissionOf, callOf, inboundRequestOf, pathOf, recordFailure, resourceOf } from '../pipeline/request.ts';
import { RpcError } from '../wire/rpc-envelope.ts';
import type { SchemaCompiler } from '../pipeline/schema.ts';
import { streamErrorLogger, sendStream, unreadCounter, type StreamLog } from './stream.ts';

export interface RestOptions {
  readonly pipeline: RequestPipeline;
  readonly schemas: SchemaCompiler;
  /** Limits in bytes; `largeBodyBytes` applies to operations with `largeBody`. */
  readonly maxBodyBytes: number;
  readonly largeBodyBytes: number;
  readonly log: StreamLog;
  /** Called with every answer's body in tests, to check it against the published schema. */
  readonly checkResponse?: (operation: Operation, status: number, body: unknown) => void;
}

/**
 * Mounts every operation of the tables.
 * @throws when a row has no permission, or a schema that cannot be published; this prevents the start
 */
export function mountRest(app: FastifyInstance, operations: readonly Operation[], options: RestOptions): void {
  for (const row of operations) {
    if (!row.permission) throw new Error(`The operation ${row.name} has no permission. Set one in its row.`);
  }
  const rowsByBody = Map.groupBy(operations, bodyKindOf);
  mountRows(app, rowsByBody.get('json') ?? [], options);
  mountBinaryRoutes(app, (scope) => mountRows(scope, rowsByBody.get('bytes') ?? [], options));
  mountYamlRoutes(app, (scope) => mountRows(scope, rowsByBody.get('yaml') ?? [], options));
}

function bodyKindOf({ rawBody, acceptsYaml }: Operation): 'json' | 'bytes' | 'yaml' {
  if (rawBody === true) return 'bytes';
  return acceptsYaml === true ? 'yaml' : 'json';
}

/** One mounted operation. */
interface RestEndpoint {
  readonly row: Operation;
  readonly options: RestOptions;
}

function mountRows(app: FastifyInstance, operations: readonly Operation[], options: RestOptions): void {
  for (const row of operations) {
    const endpoint = { row, options };
    const parse = buildParsers(row, options.schemas);
    app.route({
      method: row.method,
      config: { operation: row.name },
      url: routePatternOf(row.path),
      errorHandler: row.renderError === undefined ? undefined : errorHandlerFor(row.renderError),
      bodyLimit: row.largeBody === true ? options.largeBodyBytes : options.maxBodyBytes,
      // Before the body is read: the body of a rejected request is never buffered.
      onRequest: async (request, reply) => {
        const inbound = inboundRequestOf(request);
        const presented = row.acceptsCode === true ? ({ ...inbound, tokenUse: 'sign_in' } as const) : inbound;
        const admission = await options.pipeline.authenticate(presented, request);
        if (row.resolveCall !== undefined) return;
        const onUsage: OperationRef['onUsage'] =
          row.rateLimited === true ? (decision) => void reply.headers(callLimitHeaders(decision)) : undefined;
        request.call = await admission.begin(operationRefOf(row, resourceOfCall(row, request), undefined, onUsage));
      },
      handler: async (request, reply) => {
        if (row.resolveCall !== undefined) request.call = await beginNamedCall(row, row.resolveCall, request);
        const input = {
          params: parse.params(request.params),
          query: parse.query(request.query),
          body: parse.body(request.body),
          raw: request.body instanceof Uint8Array ? request.body : noBytes,
          context: buildRequestContext(row, request, reply),
        };
        // The parsers have checked the input against the row's own schemas.
        const answer = await row.run(callOf(request).caller, input);
        return send(endpoint, answer, request, reply);
      },
    });
  }
}

/** Begins a call whose operation is named in the body. */
function beginNamedCall(
  row: Operation,
  resolveCall: NonNullable<Operation['resolveCall']>,
  request: FastifyRequest,
): Promise<AuditedCall> {
  const namedCall = resolveCall(request.body, new FastifyRequestView(request));
  return admissionOf(request).begin(operationRefOf(row, resourceOfCall(row, request), namedCall));
}

function resourceOfCall(row: Operation, request: FastifyRequest): string {
  return row.hidesParams === true ? row.path : resourceOf(pathOf(request));
}

const noBytes = new Uint8Array();

/** A path in the router's syntax: a literal colon is doubled, and it ends the parameter before it. */
function routePatternOf(path: string): string {
  return path.replace(/(\/:\w+)?(?<!\/):(\w+)$/, (_all, parameter: string | undefined, verb: string) =>
    parameter === undefined ? `::${verb}` : `${parameter}(^[^:/]+)::${verb}`,
  );
}

/**
 * Renders 404s below a base path in the protocol of its operations.
 * @param renderError receives the error `no_such_route`
 */
export function renderErrorsBelow(
  app: FastifyInstance,
  base: string,
  renderError: NonNullable<Operation['renderError']>,
): void {
  app.register(
    (scope, _options, done) => {
      scope.setErrorHandler(errorHandlerFor(renderError));
      // Never reached: the application's hook has rejected the request.
      scope.setNotFoundHandler((request) => {
        throw new Error(`no hook rejected ${request.method} ${pathOf(request)}`);
      });
      done();
    },
    { prefix: base },
  );
}

/** Renders errors in a row's own protocol. Errors that it does not render get the problem body. */
function errorHandlerFor(renderError: NonNullable<Operation['renderError']>) {
  return (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void => {
    const answer = renderError(
      error instanceof RpcError ? error : frameworkErrorToDomain(error),
      new FastifyRequestView(request),
    );
    if (answer === undefined) throw error;
    recordFailure(request, error);
    void reply
      .code(answer.status)
      .headers({ ...answer.headers })
      .send(answer.body);
  };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation's name, on routes of operations. */
    operation?: string;
  }
}

type Parse = (value: unknown) => unknown;

/** The schema where a row has none: unknown fields are rejected by name, as elsewhere. */
const noFields = z.strictObject({});

function buildParsers(row: Operation, schemas: SchemaCompiler): { params: Parse; query: Parse; body: Parse } {
  const body = row.rawBody === true ? () => undefined : schemas.body(row.body ?? noFields);
  return {
    params: row.params === undefined ? () => undefined : idParser(row, schemas.text(row.params, 'params')),
    query: schemas.text(row.query ?? noFields, 'query'),
    // A missing body is validated as an empty object, so that the error names the missing fields.
    body: (value) => body(value === undefined ? {} : value),
  };
}

/** A malformed id is answered as a missing entity: callers do not learn the form of ids. */
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

/** Spelled as by the framework. */
export const jsonType = 'application/json; charset=utf-8';

async function send(
  { row, options }: RestEndpoint,
  answer: Answer,
  request: FastifyRequest,
  reply: FastifyReply,
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
    // The reply is not returned: the framework would await it as a promise. A 304 gets no body at all: its Content-Length
    // would be that of JSON's `null`, not that of the cached body.
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

/** Takes over the reply. Until then an error is still an ordinary error answer. */
async function beginStream(call: AuditedCall, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await call.succeeded();
  reply.hijack();
  // The framework retains the request until its answer ends, which may take hours: this releases its largest parts.
  [request.call, request.admission] = [undefined, undefined];
  [request.raw.headers, request.raw.rawHeaders] = [{}, []];
}
