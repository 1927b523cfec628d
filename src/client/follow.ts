// Follows the event stream of a task or a run to its end, across broken connections, each event once. Runs in browsers, too.
import type { operations } from './api.ts';
import type { Schemas, SwitchyardClient } from './client.ts';
import { sseFrames } from './sse.ts';

export type TaskEvent = Schemas['TaskEvent'];

/** An event of a run; the members of `data` depend on its type. */
export type RunStreamEvent =
  operations['ralph.events']['responses'][200]['content']['application/json']['events'][number];

export interface FollowSettings {
  readonly client: SwitchyardClient;
  /** Ends following without an error. */
  readonly signal?: AbortSignal;
  /** Called before the stream is opened again. @param lastSeq the last event received; 0: none */
  readonly onReconnect?: (error: Error, lastSeq: number) => void;
  /** Whether to reconnect after an error. @default errors of the network, and responses 429 and 5xx */
  readonly isTransient?: (error: Error) => boolean;
  /** Milliseconds by a clock. */
  readonly now?: () => number;
}

export interface FollowOptions extends FollowSettings {
  readonly taskId: string;
}

export interface FollowRunOptions extends FollowSettings {
  readonly runId: string;
}

/** The service rejected the stream. */
export class FollowError extends Error {
  override readonly name = 'FollowError';
  readonly status: number;
  /** The RFC 9457 problem, if the response has one. */
  readonly problem: Schemas['Problem'] | undefined;

  constructor(status: number, problem: Schemas['Problem'] | undefined) {
    super(problem?.detail ?? `The service answered ${status}.`);
    this.status = status;
    this.problem = problem;
  }
}

/** The service sends a comment every 15 s; a stream without one for this long is dead, whatever its socket says. */
const silenceTimeoutMs = 45_000;
const firstRetryMs = 250;
const longestRetryMs = 5_000;
/** How long the service may be unreachable before following fails; a restart takes seconds. */
const giveUpMs = 120_000;
/** The event of an artifact holds its content. */
const maxFrameChars = 64 * 1024 * 1024;

/**
 * Yields the task's events from the first to the last, in order. Resumes with `Last-Event-ID`.
 * @throws FollowError when the task does not exist or the token may not read it; the last error once the service has been
 * unreachable for two minutes
 */
export function followTask({ taskId, ...settings }: FollowOptions): AsyncGenerator<TaskEvent, void, undefined> {
  return followEvents(settings, {
    open: (request) =>
      settings.client.GET('/v1/agent/tasks/{id}/events', { ...request, params: { path: { id: taskId } } }),
    isEvent: isTaskEvent,
    isLast: (event) => event.type === 'status' && event.data.final,
  });
}

/** Yields the run's events from the first to the one that tells its end. Otherwise as `followTask`. */
export function followRun({ runId, ...settings }: FollowRunOptions): AsyncGenerator<RunStreamEvent, void, undefined> {
  return followEvents(settings, {
    open: (request) =>
      settings.client.GET('/v1/ralph/runs/{id}/events', { ...request, params: { path: { id: runId } } }),
    isEvent: isRunEvent,
    isLast: ({ type, data }) => type === 'run' && finalStatuses.some((status) => status === data['status']),
  });
}

const finalStatuses = ['completed', 'failed', 'cancelled'] as const;

interface StreamRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly parseAs: 'stream';
  readonly signal: AbortSignal;
}

interface StreamResponse {
  readonly data?: ReadableStream<Uint8Array> | null | undefined;
  readonly error?: Schemas['Problem'] | undefined;
  readonly response: Response;
}

/** One kind of stream: how it is opened, which frames are its events, and which one is the last. */
interface EventSource<E> {
  open(request: StreamRequest): Promise<StreamResponse>;
  isEvent(value: unknown): value is E;
  isLast(event: E): boolean;
}

async function* followEvents<E extends { readonly seq: number }>(
  settings: FollowSettings,
  source: EventSource<E>,
): AsyncGenerator<E, void, undefined> {
  const { signal, onReconnect, isTransient = isConnectionError, now = Date.now } = settings;
  const isAborted = (): boolean => signal?.aborted === true;
  let lastSeq = 0;
  let waitMs = firstRetryMs;
  let lastDataAt = now();
  const onData = (): void => {
    lastDataAt = now();
    waitMs = firstRetryMs;
  };
  while (!isAborted()) {
    try {
      for await (const event of streamEvents(source, lastSeq, onData, signal)) {
        // After a `resync` the service starts from the first event; known ones are skipped.
        if (event.seq <= lastSeq) continue;
        lastSeq = event.seq;
        yield event;
        if (source.isLast(event)) return;
      }
    } catch (error) {
      if (isAborted()) return;
      if (!(error instanceof Error) || !isTransient(error) || now() - lastDataAt > giveUpMs) throw error;
      onReconnect?.(error, lastSeq);
    }
    await wait(waitMs, signal);
    waitMs = Math.min(longestRetryMs, waitMs * 2);
  }
}

/** True for errors that `fetch` and its streams throw for a broken connection, and for responses that ask to retry. */
export function isConnectionError(error: Error): boolean {
  if (error instanceof FollowError) return error.status === 429 || error.status >= 500;
  return error instanceof TypeError || error.name === 'AbortError' || error.name === 'TimeoutError';
}

async function* streamEvents<E>(
  source: EventSource<E>,
  lastSeq: number,
  onData: () => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<E, void, undefined> {
  const silence = new AbortController();
  const onSilent = (): void => silence.abort(new DOMException('The stream is silent.', 'TimeoutError'));
  let timer = setTimeout(onSilent, silenceTimeoutMs);
  try {
    const resume: Record<string, string> = lastSeq === 0 ? {} : { 'last-event-id': String(lastSeq) };
    const { data, error, response } = await source.open({
      headers: { accept: 'text/event-stream', ...resume },
      parseAs: 'stream',
      signal: signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]),
    });
    if (!response.ok || data === undefined || data === null) throw new FollowError(response.status, error);
    const onChunk = (): void => {
      onData();
      clearTimeout(timer);
      timer = setTimeout(onSilent, silenceTimeoutMs);
    };
    for await (const frame of sseFrames(data, { maxFrameChars, onChunk })) {
      const event = parseFrame(frame.data);
      // `resync` and frames of later versions are not events of the log.
      if (source.isEvent(event)) yield event;
    }
  } finally {
    clearTimeout(timer);
  }
}

function parseFrame(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isTaskEvent(value: unknown): value is TaskEvent {
  return isNumberedEvent(value);
}

function isRunEvent(value: unknown): value is RunStreamEvent {
  return isNumberedEvent(value);
}

function isNumberedEvent(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return 'seq' in value && typeof value.seq === 'number' && 'type' in value && 'data' in value;
}

async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
}
