// The one shape of an operation: what it is called, what it demands, what goes in and out, which verb it calls.
// Routes, validation, policy data, documentation and the generated tests all come from tables of these.
import type { z } from 'zod';
import type { Demand } from '../../domain/access/permit.ts';
import type { Caller } from '../../domain/model/access/caller.ts';
import type { EntityKind } from '../../domain/model/errors.ts';
import type { IdempotencyKey } from '../../domain/ports/store/queue.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A request in its own words, for a protocol that negotiates by them. */
export interface RequestView {
  readonly requestId: string;
  /** Scheme and host by which the client reached us, as a trusted proxy tells them; undefined without one. */
  readonly forwardedOrigin: string | undefined;
  /** By its lower-case name. */
  header(name: string): string | undefined;
  /** The first of that name. */
  query(name: string): string | undefined;
}

/** What a call does that may stay open for long, so that it holds nobody else up. */
export interface LongCall {
  /**
   * Counts the call among the streams of its credential until it is over: before anything is changed, where it is known
   * that a stream or a wait follows. @throws DomainError limited
   */
  countAsStream(): void;
  /** Waits for something that others do: a stream of its credential, and no call in flight. @throws DomainError limited */
  awaitExternal<T>(work: () => Promise<T>): Promise<T>;
}

/** Facts of a request that a row may need beside its input. */
export interface RequestContext extends LongCall {
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
  /** From `Idempotency-Key`, on operations that create a task. */
  readonly idempotency: IdempotencyKey | undefined;
  readonly lastEventId: string | undefined;
  /** From `If-None-Match`, where an answer carries an ETag. */
  readonly ifNoneMatch: string | undefined;
  /** True when the client asks for `text/event-stream`. */
  readonly wantsStream: boolean;
  /** Not after the first frame of a stream: by then the headers have been let go. */
  readonly view: RequestView;
}

/**
 * Resolves when a stream has begun although it has no frame yet: its call is not refused, nothing has happened since.
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
      /** `body` as JSON, where it was written beforehand. */
      readonly text?: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** Where the body says that what was asked for failed, though the request itself did not: for the audit. */
      readonly refusal?: Error | undefined;
    }
  | {
      readonly stream: AsyncIterable<SseFrame>;
      readonly headers?: Readonly<Record<string, string>>;
      /** False where the frames themselves bring a heartbeat. */
      readonly heartbeats?: boolean;
      /** True for the push channel of a worker, of which there is one for each: no stream of its credential. choices-9. */
      readonly skipsStreamLimit?: true;
      readonly started?: StreamStarted;
    }
  /** A body that is written while it is read; its first piece is there before the answer begins. */
  | { readonly pieces: AsyncIterable<string>; readonly headers: Readonly<Record<string, string>> };

type Shape = z.ZodType | undefined;
type Parsed<S extends Shape> = S extends z.ZodType ? z.output<S> : undefined;

export interface OperationInput<P extends Shape, Q extends Shape, B extends Shape> {
  readonly params: Parsed<P>;
  readonly query: Parsed<Q>;
  readonly body: Parsed<B>;
  /** The body as it came, where the row takes bytes; else empty. */
  readonly raw: Uint8Array;
  readonly context: RequestContext;
}

/** A row as a family writes it. */
export interface OperationRow<P extends Shape, Q extends Shape, B extends Shape> {
  /** Stable name, `resource.verb`; the audit's action. */
  readonly name: string;
  readonly method: Method;
  /** With `:name` for parameters; a colon that follows anything but a slash stands for itself. */
  readonly path: string;
  readonly summary: string;
  readonly permission: Demand;
  readonly params?: P;
  /** What the path names: a malformed id of it is answered as a missing one. */
  readonly names?: EntityKind;
  readonly query?: Q;
  readonly body?: B;
  /** True where files travel: the larger body limit holds. */
  readonly largeBody?: boolean;
  /** True where the body is bytes, as application/octet-stream, in place of JSON. */
  readonly rawBody?: boolean;
  /** True for calls that create a task: they take `Idempotency-Key`. */
  readonly createsTask?: boolean;
  /** True where a credential has so many calls a minute. core-8. */
  readonly rateLimited?: boolean;
  /** Of its answers, where they are not JSON. */
  readonly mediaType?: string;
  /** What may come back, by status; `stream` for events. */
  readonly answers: Readonly<Record<number, z.ZodType>>;
  readonly run: (caller: Caller, input: OperationInput<P, Q, B>) => Promise<Answer>;
  /**
   * The answer to an error in the words of a protocol that has its own; undefined where the problem body is right.
   * Errors of the framework come as the domain's.
   */
  readonly renderError?: (error: unknown, view: RequestView) => RenderedError | undefined;
  /** The bodies that `refuse` writes, by status. */
  readonly errorSchemas?: Readonly<Record<number, z.ZodType>>;
  /**
   * What a body names that is called, where it names something: then the hallway hears that name, and asks for its
   * permission beside the row's own.
   */
  readonly resolveCall?: (body: unknown, view: RequestView) => NamedCall | undefined;
}

export interface RenderedError {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a body names: a tool. */
export interface NamedCall {
  /** The audit's action. */
  readonly name: string;
  readonly permission: Demand;
  readonly changes: boolean;
}

/** A row whose input types are forgotten: what the hallway handles. Its `run` gets what its schemas let through. */
export type Operation = OperationRow<Shape, Shape, Shape>;

/** Writes a row with its input types worked out from its schemas. */
export function operation<P extends Shape = undefined, Q extends Shape = undefined, B extends Shape = undefined>(
  row: OperationRow<P, Q, B>,
): Operation {
  // The hallway calls `run` only with values that these very schemas accepted: a parser's brand.
  return row;
}

/** A call of an RPC method: what its row gets. */
export interface RpcCall<P extends z.ZodType> {
  /** In the published form. */
  readonly params: z.output<P>;
  /** As they came; undefined when none did. */
  readonly rawParams: unknown;
  /** The path of the door it came through. */
  readonly path: string;
  readonly context: RequestContext;
}

/** One frame of an RPC stream; `id` is what a client resumes from. */
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

/** A row of a table of RPC methods: a REST row's shape, named by its method in place of a route. */
export interface RpcOperationRow<P extends z.ZodType> {
  /** Stable name, `resource.verb`; the audit's action. */
  readonly name: string;
  readonly method: string;
  readonly summary: string;
  readonly permission: Demand;
  /** The published form of the params. */
  readonly params: P;
  /** Brings older forms of the params into the published one; leaves alone what it does not know. */
  readonly normalise?: (params: unknown, path: string) => unknown;
  /** What the schema cannot say of params in the published form. @throws DomainError invalid */
  readonly check?: (params: z.output<P>) => void;
  /** True for calls that create a task: they take `Idempotency-Key`. */
  readonly createsTask?: boolean;
  readonly run: (caller: Caller, call: RpcCall<P>) => Promise<RpcAnswer>;
}

/** A row whose params' type is forgotten, as for `Operation`. */
export type RpcOperation = RpcOperationRow<z.ZodType>;

/** Writes a row with the type of its params worked out from their schema. */
export function rpcOperation<P extends z.ZodType>(row: RpcOperationRow<P>): RpcOperation {
  return row;
}
