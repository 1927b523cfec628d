// The interface of a tracer: spans that start and end.

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanStart {
  /** A name of low cardinality: a route, never a path with ids in it. */
  readonly name: string;
  readonly kind: 'server' | 'client' | 'consumer' | 'internal';
  /** The `traceparent` of the parent span; undefined starts a new trace. */
  readonly parent: string | undefined;
  /** Never a secret, and never text that a person or an agent wrote. */
  readonly attributes?: SpanAttributes;
  /** Milliseconds since 1970; default: now. */
  readonly startedAtMs?: number;
}

export interface Span {
  /** The parent of child spans. */
  readonly traceparent: string;
  /** Idempotent: a second call has no effect. `failed`: the reason, in a word. */
  end(outcome?: { readonly failed?: string; readonly attributes?: SpanAttributes }): void;
}

/** Never throws and never waits: spans that cannot be recorded are dropped. */
export interface Tracer {
  start(span: SpanStart): Span;
}
