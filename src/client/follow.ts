// Follows a task's event stream to its end, across broken connections, each event once. Runs in browsers, too.
import type { Schemas, SwitchyardClient } from './client.ts';
import { sseFrames } from './sse.ts';

export type TaskEvent = Schemas['TaskEvent'];

export interface FollowOptions {
  readonly client: SwitchyardClient;
  readonly taskId: string;
  /** Ends following without an error. */
  readonly signal?: AbortSignal;
  /** Called before the stream is opened again. @param lastSeq the last event received; 0: none */
  readonly onReconnect?: (error: Error, lastSeq: number) => void;
  /** Whether to reconnect after an error. @default errors of the network, and responses 429 and 5xx */
  readonly isTransient?: (error: Error) => boolean;
  /** Milliseconds by a clock. */
  readonly now?: () => number;
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
export async function* followTask(options: FollowOptions): AsyncGenerator<TaskEvent, void, undefined> {
  const { signal, onReconnect, isTransient = isConnectionError, now = Date.now } = options;
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
      for await (const event of streamEvents(options, lastSeq, onData)) {
        // After a `resync` the service starts from the first event; known ones are skipped.
        if (event.seq <= lastSeq) continue;
        lastSeq = event.seq;
        yield event;
        if (event.type === 'status' && event.data.final) return;
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

async function* streamEvents(
  { client, taskId, signal }: FollowOptions,
  lastSeq: number,
  onData: () => void,
): AsyncGenerator<TaskEvent, void, undefined> {
  const silence = new AbortController();
  const onSilent = (): void => silence.abort(new DOMException('The stream is silent.', 'TimeoutError'));
  let timer = setTimeout(onSilent, silenceTimeoutMs);
  try {
    const resume: Record<string, string> = lastSeq === 0 ? {} : { 'last-event-id': String(lastSeq) };
    const { data, error, response } = await client.GET('/v1/agent/tasks/{id}/events', {
      params: { path: { id: taskId } },
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
      const event = parseEvent(frame.data);
      if (event !== undefined) yield event;
    }
  } finally {
    clearTimeout(timer);
  }
}

/** @returns undefined for frames that are not events of the log: `resync`, and those of later versions */
function parseEvent(text: string): TaskEvent | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isTaskEvent(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isTaskEvent(value: unknown): value is TaskEvent {
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
