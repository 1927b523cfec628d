// The follower of an event stream: opens it again across broken connections, and reports whether it is live. Runs in browsers, too.
import type { Schemas } from './client.ts';
import { sseFrames, type ReceivedFrame } from './sse.ts';

/** Whether what a follower has shown is the present. */
export type StreamState =
  | { readonly name: 'live' }
  /** The stream broke a moment ago, and is opened again. */
  | { readonly name: 'reconnecting' }
  /** Nothing has arrived for a while. `since`: when the last byte arrived, by the clock `now`. */
  | { readonly name: 'stale'; readonly since: number };

export interface StreamSettings {
  /** Ends following without an error. */
  readonly signal?: AbortSignal;
  /** Called with each change of state. The first one follows the head of the first response, or its failure. */
  readonly onState?: (state: StreamState) => void;
  /** Whether to reconnect after an error. @default errors of the network, and responses 429 and 5xx */
  readonly isTransient?: (error: Error) => boolean;
  /**
   * Subscribes to a reason to reconnect at once, e.g. the browser's event `online`; called when a wait begins.
   * @returns the end of the subscription, called when the wait is over
   */
  readonly retryWhen?: (retry: () => void) => () => void;
  /** Milliseconds since 1970 by a clock. */
  readonly now?: () => number;
}

/** Parameters of one call of the typed client. */
export interface StreamRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly parseAs: 'stream';
  readonly signal: AbortSignal;
}

export interface StreamResponse {
  readonly data?: ReadableStream<Uint8Array> | null | undefined;
  readonly error?: Schemas['Problem'] | undefined;
  readonly response: Response;
}

export interface StreamOptions extends StreamSettings {
  /** Calls the operation: `(request) => client.GET('/v1/monitor/stream', request)`. */
  readonly open: (request: StreamRequest) => Promise<StreamResponse>;
  /** The position at which the stream begins; later positions are kept in memory. */
  readonly lastEventId?: string | undefined;
  /** Called with the error before a broken stream is opened again. */
  readonly onError?: (error: Error) => void;
  /** How many milliseconds the service may be unreachable before following fails. @default it never fails for that */
  readonly giveUpMs?: number;
}

/** The service rejected the stream. */
export class FollowError extends Error {
  override readonly name = 'FollowError';
  readonly status: number;
  /** The RFC 9457 problem, if the response has one. */
  readonly problem: Schemas['Problem'] | undefined;
  /** From `Retry-After`; 0 without it. */
  readonly retryAfterMs: number;

  constructor(status: number, problem: Schemas['Problem'] | undefined, retryAfterMs = 0) {
    super(problem?.detail ?? `The service answered ${status}.`);
    this.status = status;
    this.problem = problem;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The service sends a comment every 15 s; a stream without a byte for this long is dead, whatever its socket says. */
const silenceTimeoutMs = 30_000;
/** A stream that is back sooner than this was hardly away. */
const staleAfterMs = 10_000;
const shortestRetryMs = 250;
const longestRetryMs = 15_000;
/** The event of an artifact holds its content. */
const maxFrameChars = 64 * 1024 * 1024;

/**
 * Yields the frames of a stream until `signal` aborts or the caller leaves the loop. Reconnects with `Last-Event-ID` when
 * the stream ends, breaks or falls silent, after 0.25 to 15 seconds.
 * @throws FollowError when the service rejects the stream (401, 403, 404, …), and errors that are not transient
 */
export async function* followStream(options: StreamOptions): AsyncGenerator<ReceivedFrame, void, undefined> {
  const { signal, onError, isTransient = isConnectionError, now = Date.now, giveUpMs = Infinity } = options;
  const isAborted = (): boolean => signal?.aborted === true;
  const report = stateReporter(options.onState);
  let { lastEventId } = options;
  let failures = 0;
  let lastDataAt = now();
  const onData = (): void => {
    lastDataAt = now();
    failures = 0;
  };
  while (!isAborted()) {
    let leastMs = 0;
    try {
      for await (const frame of readStream(options, { lastEventId, onOpen: () => report({ name: 'live' }), onData })) {
        if (frame.id !== undefined) lastEventId = frame.id;
        yield frame;
      }
    } catch (error) {
      if (isAborted()) return;
      if (!(error instanceof Error) || !isTransient(error) || now() - lastDataAt > giveUpMs) throw error;
      if (error instanceof FollowError) leastMs = error.retryAfterMs;
      onError?.(error);
    }
    if (isAborted()) return;
    report(now() - lastDataAt < staleAfterMs ? { name: 'reconnecting' } : { name: 'stale', since: lastDataAt });
    await waitToRetry(Math.max(leastMs, retryMs(failures)), options);
    failures += 1;
  }
}

/** True for errors that `fetch` and its streams throw for a broken connection, and for responses that ask to retry. */
export function isConnectionError(error: Error): boolean {
  if (error instanceof FollowError) return error.status === 429 || error.status >= 500;
  return error instanceof TypeError || error.name === 'AbortError' || error.name === 'TimeoutError';
}

interface Reading {
  readonly lastEventId: string | undefined;
  readonly onOpen: () => void;
  readonly onData: () => void;
}

async function* readStream(
  { open, signal }: StreamOptions,
  { lastEventId, onOpen, onData }: Reading,
): AsyncGenerator<ReceivedFrame, void, undefined> {
  const silence = new AbortController();
  const onSilent = (): void => silence.abort(new DOMException('The stream is silent.', 'TimeoutError'));
  let timer = setTimeout(onSilent, silenceTimeoutMs);
  const onChunk = (): void => {
    onData();
    clearTimeout(timer);
    timer = setTimeout(onSilent, silenceTimeoutMs);
  };
  try {
    const resume: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    const { data, error, response } = await open({
      headers: { accept: 'text/event-stream', ...resume },
      parseAs: 'stream',
      signal: signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]),
    });
    if (!response.ok || data === undefined || data === null) {
      throw new FollowError(response.status, error, retryAfterMsOf(response));
    }
    onOpen();
    yield* sseFrames(data, { maxFrameChars, onChunk });
  } finally {
    clearTimeout(timer);
  }
}

function retryAfterMsOf(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? 0);
  return Number.isFinite(seconds) ? Math.max(0, seconds) * 1000 : 0;
}

/** A random time, so that the followers of a service that restarted do not come back together. */
function retryMs(failures: number): number {
  const longestMs = Math.min(longestRetryMs, 2 * shortestRetryMs * 2 ** failures);
  return shortestRetryMs + Math.random() * (longestMs - shortestRetryMs);
}

function stateReporter(onState: StreamSettings['onState']): (state: StreamState) => void {
  let last: string | undefined;
  return (state) => {
    const text = JSON.stringify(state);
    if (text === last) return;
    last = text;
    onState?.(state);
  };
}

async function waitToRetry(ms: number, { signal, retryWhen }: StreamSettings): Promise<void> {
  await new Promise<void>((resolve) => {
    const over = new AbortController();
    const done = (): void => over.abort();
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { signal: over.signal });
    const unsubscribe = retryWhen?.(done);
    const end = (): void => {
      clearTimeout(timer);
      unsubscribe?.();
      resolve();
    };
    // `retryWhen` may have called back already.
    if (over.signal.aborted) end();
    else over.signal.addEventListener('abort', end);
  });
}
