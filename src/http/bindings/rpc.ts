// The JSON-RPC 2.0 binding: mounts a table of methods on its paths; each request passes through the pipeline to one method.
// 401, 403, 413, 415, 429 and 503 are answered as HTTP with the problem body; other errors are JSON-RPC errors. choices-3.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findJsonViolation } from '../../lib/json/json-violation.ts';
import type { RequestPipeline } from '../pipeline/request-pipeline.ts';
import type { AuditedCall } from '../pipeline/audited-call.ts';
import { describeRequestFailure, type RequestFailure } from './request-failure.ts';
import { parseIdempotencyKey } from '../pipeline/idempotency.ts';
import { operationRefOf } from '../pipeline/inbound-request.ts';
import type { RequestView, RpcAnswer, RpcFrame, RpcOperation, SseFrame } from '../pipeline/operation.ts';
import {
  internalErrorBody,
  parseCall,
  toRpcErrorBody,
  toStreamErrorBody,
  findRpcId,
  parseJsonBody,
  missingIdError,
  rpcCodes,
  RpcError,
  type RpcErrorBody,
  type RpcId,
} from '../wire/rpc-envelope.ts';
import { FastifyRequestContext, headerOf, FastifyRequestView } from '../pipeline/request-context.ts';
import { admissionOf, inboundRequestOf } from '../pipeline/request.ts';
import { jsonType } from './rest.ts';
import type { SchemaCompiler } from '../pipeline/schema.ts';
import { streamErrorLogger, sendStream, unreadCounter } from './stream.ts';

export interface RpcOptions {
  readonly paths: readonly string[];
  readonly operations: readonly RpcOperation[];
  /** Determines a call's version by its method (empty for a call without one), headers and query. @throws RpcError to reject it */
  readonly negotiate: (method: string, view: RequestView) => Negotiated;
  readonly pipeline: RequestPipeline;
  readonly schemas: SchemaCompiler;
  /** Bytes. */
  readonly bodyLimit: number;
  readonly log: (line: string, details: RequestFailure) => void;
}

export type WriteError = (body: RpcErrorBody) => RpcErrorBody;

/** The version of a call. */
export interface Negotiated {
  /** Renders errors in that version. */
  readonly writeError: WriteError;
  /** False where only another version has a method of this name. */
  readonly methodExists: boolean;
}

interface Row {
  readonly operation: RpcOperation;
  readonly parse: (params: unknown) => unknown;
}

/** One mounted path. */
interface RpcEndpoint {
  readonly options: RpcOptions;
  readonly rows: ReadonlyMap<string, Row>;
  readonly path: string;
}

/** A request whose call has begun, in the version that it speaks; made once per request. */
interface RpcExchange {
  readonly endpoint: RpcEndpoint;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly call: AuditedCall;
  readonly id: RpcId;
  readonly writeError: WriteError;
}

/** @throws when a row has no permission, or a schema that cannot be published; this prevents the start */
export function mountRpc(app: FastifyInstance, options: RpcOptions): void {
  const rows = new Map<string, Row>();
  for (const operation of options.operations) {
    if (!operation.permission) throw new Error(`The method ${operation.method} has no permission. Set one in its row.`);
    if (rows.has(operation.method))
      throw new Error(`The method ${operation.method} is defined twice. Remove one of its rows.`);
    rows.set(operation.method, { operation, parse: options.schemas.large(operation.params, '/params') });
  }
  app.register((scope, _options, done) => {
    installRawBodyParser(scope);
    for (const path of options.paths) {
      const endpoint = { options, rows, path };
      scope.route({
        method: 'POST',
        url: path,
        bodyLimit: options.bodyLimit,
        // Authenticates before the body is read: the body of an anonymous request is never buffered. Only the body names the method.
        onRequest: async (request) => {
          await options.pipeline.authenticate(inboundRequestOf(request), request);
        },
        handler: (request, reply) => handleCall(endpoint, request, reply),
      });
    }
    done();
  });
}

/** Passes the body on as bytes, so that the protocol can answer invalid JSON with its own error. */
export function installRawBodyParser(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    ['application/json', 'application/a2a+json'],
    { parseAs: 'buffer' },
    (request: FastifyRequest, body: Buffer, done: (error: Error | null, value?: unknown) => void) => {
      request.rawBodyBytes = body.length;
      done(null, body);
    },
  );
}

/** Renders errors of a call without a method: in the version that headers or query name, else unchanged. */
function errorWriterFor({ negotiate }: RpcOptions, request: FastifyRequest): WriteError {
  try {
    return negotiate('', new FastifyRequestView(request)).writeError;
  } catch {
    return (body) => body;
  }
}

async function handleCall(endpoint: RpcEndpoint, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { options, rows, path } = endpoint;
  let id: RpcId | null = null;
  let writeError: WriteError | undefined;
  let call: AuditedCall | undefined;
  const admission = admissionOf(request);
  try {
    const body = parseJsonBody(request.body);
    id = findRpcId(body);
    const envelope = parseCall(body);
    const negotiated = options.negotiate(envelope.method, new FastifyRequestView(request));
    ({ writeError } = negotiated);
    const row = negotiated.methodExists ? rows.get(envelope.method) : undefined;
    if (row === undefined) throw new RpcError(rpcCodes.method, `There is no method ${envelope.method.slice(0, 100)}.`);
    call = await admission.begin(operationRefOf(row.operation, `${path}#${row.operation.method}`));
    request.call = call;
    const params = parseParams(row, envelope.params, path);
    // A notification gets every other error first, and is never executed. choices-6
    if (envelope.id === null) throw missingIdError();
    const exchange = { endpoint, request, reply, call, id: envelope.id, writeError };
    const answer = await runOperation(row, exchange, envelope.params, params);
    if ('stream' in answer) {
      await streamAnswer(exchange, answer);
      return;
    }
    await call.succeeded();
    if (answer.headers !== undefined) reply.headers({ ...answer.headers });
    sendJson(reply, { jsonrpc: '2.0', id, result: answer.result });
  } catch (error) {
    call?.failed(error);
    // An invalid body and an unknown method have begun no call.
    if (!admission.settled) admission.reject({ name: 'rpc.unknown', resource: path }, error);
    writeError ??= errorWriterFor(options, request);
    sendJson(reply, { jsonrpc: '2.0', id, error: writeError(errorBodyOrThrow(options, request, error)) });
  }
}

/** Sends the answer. A handler does not return the reply: the framework would await it as a promise. */
function sendJson(reply: FastifyReply, body: object): void {
  reply.type(jsonType).send(JSON.stringify(body));
}

/** The params in the published form. @throws RpcError, DomainError invalid */
function parseParams({ operation, parse }: Row, rawParams: unknown, path: string): unknown {
  const violation = findJsonViolation(rawParams, maxDepth);
  if (violation !== undefined) {
    throw new RpcError(rpcCodes.params, `Invalid params: /params${violation.path} ${violation.message}.`);
  }
  const params = parse(
    operation.normalise === undefined ? (rawParams ?? {}) : operation.normalise(rawParams ?? {}, path),
  );
  operation.check?.(params);
  return params;
}

function runOperation(
  { operation }: Row,
  { endpoint: { path }, call, request, reply }: RpcExchange,
  rawParams: unknown,
  params: unknown,
): Promise<RpcAnswer> {
  const { method } = operation;
  // The key covers the params as sent, before defaults are filled in.
  const key = operation.createsTask === true ? headerOf(request, 'idempotency-key') : undefined;
  const idempotency = parseIdempotencyKey(
    key,
    `${method} ${path}`,
    key === undefined ? undefined : { method, given: rawParams },
  );
  return operation.run(call.caller, {
    params,
    rawParams,
    path,
    context: new FastifyRequestContext(call, request, reply, {
      idempotency,
      ifNoneMatch: undefined,
      wantsStream: true,
    }),
  });
}

const maxDepth = 60;

async function streamAnswer(exchange: RpcExchange, answer: Extract<RpcAnswer, { stream: unknown }>): Promise<void> {
  const { endpoint, call, request, reply } = exchange;
  call.countAsStream(reply.raw);
  reply.hijack();
  const headers = { 'x-request-id': request.id, ...answer.headers };
  await sendStream(reply.raw, resultFrames(exchange, answer.stream), headers, {
    started: answer.started,
    stopping: reply.server.stopping,
    onError: streamErrorLogger(endpoint.options.log, { request_id: request.id }),
    unread: unreadCounter(reply.server.unread, call.caller),
  });
}

/** An error after the start of a stream becomes its last frame; the client resumes from the last id that it got. */
async function* resultFrames(
  { endpoint, call, request, id, writeError }: RpcExchange,
  source: AsyncIterable<RpcFrame>,
): AsyncGenerator<SseFrame, void, undefined> {
  try {
    for await (const frame of source) {
      // The call has made its changes before its first frame.
      await call.succeeded();
      yield { id: frame.id, data: { jsonrpc: '2.0', id, result: frame.result } };
    }
    await call.succeeded();
  } catch (error) {
    call.failed(error);
    const body = toStreamErrorBody(error);
    const { code, message } = body === 'broken' ? logInternalError(endpoint.options, request, error) : body;
    yield { data: { jsonrpc: '2.0', id, error: writeError({ code, message }) } };
  }
}

/** @throws the error itself where HTTP answers it */
function errorBodyOrThrow(options: RpcOptions, request: FastifyRequest, error: unknown): RpcErrorBody {
  const body = toRpcErrorBody(error);
  if (body === 'http') throw error;
  return body === 'broken' ? logInternalError(options, request, error) : body;
}

function logInternalError(options: RpcOptions, request: FastifyRequest, error: unknown): RpcErrorBody {
  options.log('a request failed', describeRequestFailure(request, error));
  return internalErrorBody(request.id);
}
