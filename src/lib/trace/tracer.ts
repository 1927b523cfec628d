// What a program asks of whoever records its traces: spans that begin and end.

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanStart {
  /** Of few kinds: a route, never a path with ids in it. */
  readonly name: string;
  readonly kind: 'server' | 'client' | 'consumer' | 'internal';
  /** The `traceparent` of the span that it belongs under; undefined: a new trace. */
  readonly parent: string | undefined;
  /** Never a secret, never words of a person or an agent. */
  readonly attributes?: SpanAttributes;
  /** Milliseconds since 1970; now unless told otherwise. */
  readonly startedAtMs?: number;
}

export interface Span {
  /** For who works under it. */
  readonly traceparent: string;
  /** Once; a second call changes nothing. `failed`: why, in a word. */
  end(outcome?: { readonly failed?: string; readonly attributes?: SpanAttributes }): void;
}

/** Never throws and never waits: what cannot be recorded is lost. */
export interface Tracer {
  start(span: SpanStart): Span;
}
