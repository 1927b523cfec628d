// The shape of an operation: its name, permission, schemas and the domain function that it calls.
// Routes, validation, policy data, documentation and generated tests are all derived from tables of operations.
import type { z } from 'zod';
import type { Permission } from '../../domain/model/access/permission.ts';
import type { Demand } from '../../domain/access/permit.ts';
import type { Caller } from '../../domain/model/access/caller.ts';
import type { EntityKind } from '../../domain/model/errors.ts';
import type { IdempotencyKey } from '../../domain/ports/store/queue.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Read access to a request's headers and query, for protocols that negotiate by them. */
export interface RequestView {
  readonly requestId: string;
  /** Scheme and host of the public address, as forwarded by a trusted proxy; undefined without one. */
  readonly forwardedOrigin: string | undefined;
  /** @param name in lower case */
  header(name: string): string | undefined;
  /** The first value of that name. */
  query(name: string): string | undefined;
}

/** Controls of a call that may stay open for long, so that it does not use up the in-flight limit. */
export interface LongCall {
  /**
   * Counts the call among the streams of its credential until it ends. An operation that will stream or wait calls this
   * before it changes anything. @throws DomainError limited
   */
  countAsStream(): void;
  /** Waits for something outside this call, which then counts as a stream and not as in flight. @throws DomainError limited */
  awaitExternal<T>(work: () => Promise<T>): Promise<T>;
}

/** Facts of a request that an operation may need besides its input. */
export interface RequestContext extends LongCall {
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** From `Idempotency-Key`, on operations that create a task. */
  readonly idempotency: IdempotencyKey | undefined;
  readonly lastEventId: string | undefined;
  /** From `If-None-Match`, where an answer carries an ETag. */
  readonly ifNoneMatch: string | undefined;
  /** True when the client asks for `text/event-stream`. */
  readonly wantsStream: boolean;
  /** Unusable after the first frame of a stream: the headers have been released by then. */
  readonly view: RequestView;
}

/**
 * Resolves when a stream may begin before its first frame: the call is accepted, and there is nothing to send yet.
 * Without it a stream begins with its first frame.
 */
export type StreamStarted = Promise<void>;

/** One frame of an event stream. */
export interface SseFrame {
  readonly id?: string;
  readonly event?: string;
  /** Sent as JSON. */
  readonly data: unknown;
}

export type Answer =
  | {
      readonly status: number;
      readonly body: unknown;
      /** `body` as JSON, where it has been serialized already. */
      readonly text?: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** Set where the body reports a failure although the request itself succeeded. The audit records the call as failed. */
      readonly refusal?: Error | undefined;
    }
  | {
      readonly stream: AsyncIterable<SseFrame>;
      readonly headers?: Readonly<Record<string, string>>;
      /** False where the frames include heartbeats of their own. */
      readonly heartbeats?: boolean;
      /** True for a worker's push channel, of which there is one per worker: it does not count as a stream. choices-9. */
      readonly skipsStreamLimit?: true;
      readonly started?: StreamStarted;
    }
  /** A body that is produced while it is sent; its first piece exists before the answer begins. */
  | { readonly pieces: AsyncIterable<string | Uint8Array>; readonly headers: Readonly<Record<string, string>> };

type Shape = z.ZodType | undefined;
type Parsed<S extends Shape> = S extends z.ZodType ? z.output<S> : undefined;

export interface OperationInput<P extends Shape, Q extends Shape, B extends Shape> {
  readonly params: Parsed<P>;
  readonly query: Parsed<Q>;
  readonly body: Parsed<B>;
  /** The body as received, where the operation takes bytes; else empty. */
  readonly raw: Uint8Array;
  readonly context: RequestContext;
}

/** The members that the rows of every binding share: REST routes, RPC methods, and the methods and tools of MCP. */
export interface OperationSpec {
  /** Stable name, which is the audit's action: `resource.verb`; of a tool its own name. */
  readonly name: string;
  readonly permission: Demand;
  /** Needed besides: what creates tasks later needs the permission for them. choices-4 */
  readonly alsoRequires?: Permission;
  /** True for a decision that only a person may make: programs are rejected with `needs_person`. choices-4 */
  readonly personOnly?: boolean;
  /** False for an operation that only reads. Derived by the function that builds the row, unless the row states it. */
  readonly changes?: boolean;
  /** True for calls that create a task: they accept `Idempotency-Key`. */
  readonly createsTask?: boolean;
}

/** A row whose `changes` is derived. */
export type Built<R extends OperationSpec> = R & { readonly changes: boolean };

/** A row of a table of operations. */
export interface OperationRow<P extends Shape, Q extends Shape, B extends Shape> extends OperationSpec {
  readonly method: Method;
  /** With `:name` for parameters; a colon that does not follow a slash is literal. */
  readonly path: string;
  /** An imperative verb and its object, at most twelve words. */
  readonly summary: string;
  /** Consequences and limits, in sentences; the reference adds the permission. */
  readonly description?: string;
  readonly params?: P;
  /** The kind of entity in the path: a malformed id of it is answered as a missing one. */
  readonly names?: EntityKind;
  /** True where the params are personal data: the audit names the path without them. */
  readonly hidesParams?: boolean;
  readonly query?: Q;
  readonly body?: B;
  /** True where bodies carry files: the larger body limit applies. */
  readonly largeBody?: boolean;
  /** True where the body is application/octet-stream instead of JSON. */
  readonly rawBody?: boolean;
  /** True where the body may be YAML (application/yaml) as well as JSON. */
  readonly acceptsYaml?: boolean;
  /** True where a sign-in code is accepted as the bearer token. */
  readonly acceptsCode?: boolean;
  /** True where a credential is limited to a number of calls per minute. core-8. */
  readonly rateLimited?: boolean;
  /** The media type of the answers, where they are not JSON. */
  readonly mediaType?: string;
  /** Schemas of the answers by status; empty for an operation that only streams. */
  readonly answers: Readonly<Record<number, z.ZodType>>;
  readonly run: (caller: Caller, input: OperationInput<P, Q, B>) => Promise<Answer>;
  /**
   * Renders an error for a protocol that has an error format of its own; undefined where the problem body applies.
   * Errors of the framework arrive as domain errors.
   */
  readonly renderError?: (error: unknown, view: RequestView) => RenderedError | undefined;
  /** Schemas of the bodies that `renderError` writes, by status. */
  readonly errorSchemas?: Readonly<Record<number, z.ZodType>>;
  /**
   * Resolves the call that a body names, if any. Its name is then audited, and its permission is required besides the
   * operation's own.
   */
  readonly resolveCall?: (body: unknown, view: RequestView) => NamedCall | undefined;
}

export interface RenderedError {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A call named in a body, such as a tool. */
export type NamedCall = Readonly<Required<Pick<OperationSpec, 'name' | 'permission' | 'changes'>>> &
  Pick<OperationSpec, 'alsoRequires' | 'personOnly'>;

/** A row with its input types erased, as the pipeline handles it. Its `run` receives what its schemas accepted. */
export type Operation = Built<OperationRow<Shape, Shape, Shape>>;

/** Builds a row, with its input types inferred from its schemas. */
export function operation<P extends Shape = undefined, Q extends Shape = undefined, B extends Shape = undefined>(
  row: OperationRow<P, Q, B>,
): Operation {
  // The bindings call `run` only with values that these very schemas accepted: a parser's brand.
  return { changes: row.method !== 'GET' && demandsChange(row.permission), ...row };
}

/** True for a demand that more than reading permissions meet. */
function demandsChange(demand: Demand): boolean {
  const permissions = typeof demand === 'string' ? [demand] : demand.anyOf;
  return !permissions.every((permission) => permission.endsWith(':read'));
}

/** A call of an RPC method, as its row receives it. */
export interface RpcCall<P extends z.ZodType> {
  /** In the published form. */
  readonly params: z.output<P>;
  /** As received; undefined where there were none. */
  readonly rawParams: unknown;
  /** The path of the endpoint that received the call. */
  readonly path: string;
  readonly context: RequestContext;
}

/** One frame of an RPC stream; a client resumes from `id`. */
export interface RpcFrame {
  readonly id?: string;
  readonly result: unknown;
}

export type RpcAnswer =
  | { readonly result: unknown; readonly headers?: Readonly<Record<string, string>> }
  | {
      readonly stream: AsyncIterable<RpcFrame>;
      readonly headers?: Readonly<Record<string, string>>;
      readonly started?: StreamStarted;
    };

/** A row of a table of RPC methods: like a REST row, with a method instead of a route. */
export interface RpcOperationRow<P extends z.ZodType> extends OperationSpec {
  readonly method: string;
  readonly summary: string;
  /** The published form of the params. */
  readonly params: P;
  /** Converts older forms of the params to the published one; leaves unknown forms unchanged. */
  readonly normalise?: (params: unknown, path: string) => unknown;
  /** Checks params in the published form for what the schema cannot express. @throws DomainError invalid */
  readonly check?: (params: z.output<P>) => void;
  readonly run: (caller: Caller, call: RpcCall<P>) => Promise<RpcAnswer>;
}

/** A row with the type of its params erased, as in `Operation`. */
export type RpcOperation = Built<RpcOperationRow<z.ZodType>>;

/** Builds a row, with the type of its params inferred from their schema. */
export function rpcOperation<P extends z.ZodType>(row: RpcOperationRow<P>): RpcOperation {
  const erased: RpcOperationRow<z.ZodType> = row;
  return { changes: demandsChange(row.permission), ...erased };
}
