// The JSON-RPC 2.0 envelope: mounts a table of methods on its paths, each request through the hallway to one row.
// 401, 403, 413, 415, 429 and 503 are HTTP with the problem body here too; all else is the protocol's own. choices §3.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../domain/model/errors.ts';
import { findStain } from '../../lib/json/json-hygiene.ts';
import { demandsChange, type Hallway } from '../pipeline/admit.ts';
import type { AuditedCall } from '../pipeline/audited-call.ts';
import { brokenRequest, type BrokenRequest } from './broken-request.ts';
import { idempotencyKey } from '../pipeline/idempotency.ts';
import type { Called } from '../pipeline/knock.ts';
import type { RequestWords, RpcAnswer, RpcFrame, RpcOperation, SseFrame } from '../pipeline/operation.ts';
import {
  brokenBody,
  calledIn,
  errorBodyOf,
  idIn,
  jsonOf,
  noId,
  rpcCodes,
  RpcError,
  type Envelope,
  type RpcErrorBody,
  type RpcId,
} from '../wire/rpc-envelope.ts';
import { Facts, headerOf, Words } from '../pipeline/request-facts.ts';
import { jsonType, knockOf, visitorOf } from './rest.ts';
import type { Schemas } from '../pipeline/schema.ts';
import { brokenOff, sendStream, unreadOf } from './stream.ts';

export interface RpcOptions {
  readonly paths: readonly string[];
  readonly operations: readonly RpcOperation[];
  /** May refuse a call by its method (empty for what names none), headers and query. @throws RpcError */
  readonly negotiate: (method: string, words: RequestWords) => Negotiated;
  readonly hallway: Hallway;
  readonly schemas: Schemas;
  /** Bytes. */
  readonly bodyLimit: number;
  readonly log: (line: string, details: BrokenRequest) => void;
}

export type WriteError = (body: RpcErrorBody) => RpcErrorBody;

/** What a call's version is found to be. */
export interface Negotiated {
  /** How that version writes its errors. */
  readonly write: WriteError;
  /** False where that version has no method of this name, though another has. */
  readonly known: boolean;
}

interface Row {
  readonly operation: RpcOperation;
  readonly parse: (params: unknown) => unknown;
}

/** @throws when a row has no permission, or a schema that cannot be published: the start stops */
export function mountRpc(app: FastifyInstance, options: RpcOptions): void {
  const rows = new Map<string, Row>();
  for (const operation of options.operations) {
    if (!operation.permission) throw new Error(`The method ${operation.method} names no permission.`);
    if (rows.has(operation.method)) throw new Error(`The method ${operation.method} stands twice in its table.`);
    rows.set(operation.method, { operation, parse: options.schemas.large(operation.params, '/params') });
  }
  app.register((scope, _options, done) => {
    takeBytes(scope);
    for (const path of options.paths) {
      scope.route({
        method: 'POST',
        url: path,
        bodyLimit: options.bodyLimit,
        // Before the body is read: who is nobody, sends no bytes we keep. Which method it is, only the body says.
        onRequest: async (request) => {
          const knock = knockOf(request);
          request.visitor = { caller: await options.hallway.enter(knock), knock, heard: false };
        },
        handler: (request, reply) => answer(options, rows, path, request, reply),
      });
    }
    done();
  });
}

/** The body comes as bytes: what is wrong with it is answered in the protocol's words. */
export function takeBytes(scope: FastifyInstance): void {
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

/** How what names no method is refused: as the version writes it that headers or query name; as it is, if they name none. */
function unnamed({ negotiate }: RpcOptions, request: FastifyRequest): WriteError {
  try {
    return negotiate('', new Words(request)).write;
  } catch {
    return (body) => body;
  }
}

function calledBy({ name, method, permission }: RpcOperation, path: string): Called {
  return { name, permission, changes: demandsChange(permission), resource: `${path}#${method}` };
}

async function answer(
  options: RpcOptions,
  rows: ReadonlyMap<string, Row>,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  let id: RpcId | null = null;
  let write: WriteError | undefined;
  let call: AuditedCall | undefined;
  const visitor = visitorOf(request);
  const { caller, knock } = visitor;
  visitor.heard = true;
  // Until it is named, it is no call of anything: a body that is none, a method that there is not.
  let named = false;
  try {
    const body = jsonOf(request.body);
    id = idIn(body);
    const envelope = calledIn(body);
    const negotiated = options.negotiate(envelope.method, new Words(request));
    write = negotiated.write;
    const row = negotiated.known ? rows.get(envelope.method) : undefined;
    if (row === undefined) throw new RpcError(rpcCodes.method, `There is no method ${envelope.method.slice(0, 100)}.`);
    named = true;
    call = await options.hallway.begin(caller, knock, calledBy(row.operation, path));
    request.call = call;
    const params = paramsOf(row, envelope.params, path);
    // Told of all else that is wrong with it, and never executed. choices §6
    if (envelope.id === null) throw noId();
    const given = await run(row, call, envelope, params, path, request, reply);
    if ('stream' in given) {
      await stream(options, given, envelope.id, write, call, request, reply);
      return;
    }
    await call.succeeded();
    if (given.headers !== undefined) reply.headers({ ...given.headers });
    answerWith(reply, { jsonrpc: '2.0', id, result: given.result });
  } catch (error) {
    call?.failed(error);
    if (!named) options.hallway.turnedAway(caller, knock, { name: 'rpc.unknown', resource: path }, error);
    write ??= unnamed(options, request);
    answerWith(reply, { jsonrpc: '2.0', id, error: write(errorBody(options, request, error)) });
  }
}

/** A handler answers with this and returns nothing: a reply that is returned is one promise more to wait for. */
function answerWith(reply: FastifyReply, body: object): void {
  reply.type(jsonType).send(JSON.stringify(body));
}

/** The params in the published form. @throws RpcError, DomainError invalid */
function paramsOf({ operation, parse }: Row, given: unknown, path: string): unknown {
  const stain = findStain(given, maxDepth);
  if (stain !== undefined) {
    throw new RpcError(rpcCodes.params, `Invalid params: /params${stain.path} ${stain.message}.`);
  }
  const params = parse(operation.normalise === undefined ? (given ?? {}) : operation.normalise(given ?? {}, path));
  operation.check?.(params);
  return params;
}

function run(
  { operation }: Row,
  call: AuditedCall,
  { method, params: given }: Pick<Envelope, 'method' | 'params'>,
  params: unknown,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<RpcAnswer> {
  // The key's meaning is what the caller sent, before anything is filled in.
  const key = operation.createsTask === true ? headerOf(request, 'idempotency-key') : undefined;
  const idempotency = idempotencyKey(key, `${method} ${path}`, key === undefined ? undefined : { method, given });
  return operation.run(call.caller, {
    params,
    given,
    path,
    facts: new Facts(call, request, reply, { idempotency, ifNoneMatch: undefined, wantsStream: true }),
  });
}

const maxDepth = 60;

async function stream(
  options: RpcOptions,
  given: Extract<RpcAnswer, { stream: unknown }>,
  id: RpcId,
  write: WriteError,
  call: AuditedCall,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  call.staysOpen(reply.raw);
  reply.hijack();
  const headers = { 'x-request-id': request.id, ...given.headers };
  await sendStream(reply.raw, frames(options, given.stream, id, write, call, request), headers, {
    begun: given.begun,
    stopping: reply.server.stopping,
    broke: brokenOff(options.log, { request_id: request.id }),
    unread: unreadOf(reply.server.unread, call.caller),
  });
}

/** What breaks a stream that has begun is its last frame; the client goes on from the last id it saw. */
async function* frames(
  options: RpcOptions,
  source: AsyncIterable<RpcFrame>,
  id: RpcId,
  write: WriteError,
  call: AuditedCall,
  request: FastifyRequest,
): AsyncGenerator<SseFrame, void, undefined> {
  try {
    for await (const frame of source) {
      // What the call changed, it changed before its first frame.
      await call.succeeded();
      yield {
        ...(frame.id === undefined ? {} : { id: frame.id }),
        data: { jsonrpc: '2.0', id, result: frame.result },
      };
    }
    await call.succeeded();
  } catch (error) {
    call.failed(error);
    const { code, message } =
      error instanceof DomainError && error.kind !== 'internal'
        ? { code: rpcCodes.internal, message: error.message }
        : errorBody(options, request, error);
    yield { data: { jsonrpc: '2.0', id, error: write({ code, message }) } };
  }
}

/** @throws the error itself where HTTP answers it */
function errorBody(options: RpcOptions, request: FastifyRequest, error: unknown): RpcErrorBody {
  const body = errorBodyOf(error);
  if (body === 'http') throw error;
  if (body !== 'broken') return body;
  options.log('a request failed', brokenRequest(request, error));
  return brokenBody(request.id);
}
