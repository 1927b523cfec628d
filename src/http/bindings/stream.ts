// The envelope of event streams: frames to Server-Sent Events, with heartbeats and a bounded patience for readers.
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { once } from 'node:events';
import type { UnreadAnswers } from '../../domain/limits/unread-answers.ts';
import type { Caller } from '../../domain/model/access/caller.ts';
import type { StreamStarted, SseFrame } from '../pipeline/operation.ts';

/** Milliseconds between comments that keep the connection alive. */
const heartbeatMs = 15_000;
/** Milliseconds a reader may leave its buffer full, unless told otherwise; of any answer. */
export const defaultReaderTimeoutMs = 30_000;
/** Characters, or bytes, of an answer or a frame that may wait in memory for as long as its reader likes. */
export const smallBodyBytes = 64 * 1024;

export interface StreamOptions {
  /** False where the frames themselves bring a heartbeat. */
  readonly heartbeats?: boolean | undefined;
  /** Milliseconds a reader may leave its buffer full; then it is cut off and may resume. */
  readonly readerTimeoutMs?: number;
  /** Aborts when the service stops: who reads is told to come back at once, to another replica. */
  readonly stopping?: AbortSignal;
  readonly started?: StreamStarted | undefined;
  /** Called when the stream begins, before any header is sent: what it refuses is an ordinary error answer. */
  readonly onStart?: () => Promise<void>;
  /** Counts bytes that wait for their reader. @returns what to call when they were taken @throws where it is too much */
  readonly unread?: ((bytes: number) => () => void) | undefined;
  /** Hears what broke a stream that had begun; its client resumes from its last event. */
  readonly onError: (error: unknown) => void;
}

interface StreamFailure {
  readonly request_id: string;
  /** Of a REST call. */
  readonly operation?: string;
  readonly error: unknown;
}
export type StreamLog = (line: string, details: StreamFailure) => void;

/** Logs what breaks a stream. In a function of its own, so that nothing else of the call is held with it. */
export function streamErrorLogger(log: StreamLog, details: Omit<StreamFailure, 'error'>): StreamOptions['onError'] {
  return (error) => log('a stream broke off', { ...details, error });
}

/** In a function of its own, as above. */
export function unreadCounter(unread: UnreadAnswers, caller: Caller): NonNullable<StreamOptions['unread']> {
  return (bytes) => unread.reserve(caller, bytes);
}

/** The stream goes on elsewhere, from the last event that was read. */
const reconnectNotice = 'retry: 250\n: this replica stops; come back with Last-Event-ID\n\n';

export const sseHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
  connection: 'keep-alive',
} as const;

/**
 * Writes frames until they end, the client goes, or the client reads too slowly. Settles when the stream has begun: what
 * called holds nothing for the hours that it may last. The first frame is asked for before any header is sent, so that a
 * refusal is still an ordinary error answer; a stream that goes on behind the last event says that it has `begun`, for its
 * first frame may be hours away.
 * @throws what the source throws before its first frame, and what `begin` throws
 */
export async function sendStream(
  response: ServerResponse,
  frames: AsyncIterable<SseFrame>,
  headers: Readonly<Record<string, string>>,
  { started, onStart, ...options }: StreamOptions,
): Promise<void> {
  const source = frames[Symbol.asyncIterator]();
  const first = source.next();
  try {
    await (started === undefined ? first : Promise.race([first, started]));
    await onStart?.();
  } catch (error) {
    // Not waited for: a frame may be under way until the client has its answer, and goes.
    void Promise.allSettled([first, source.return?.()]);
    throw error;
  }
  response.writeHead(200, { ...sseHeaders, ...headers });
  response.flushHeaders();
  if (response.req.method === 'HEAD') {
    // Its connection is for the next call; the frames that nobody reads end with it, as above.
    response.end();
    void Promise.allSettled([first, source.return?.()]);
    return;
  }
  // Owned: it tells `broke` of its failure and never rejects.
  void writeFrames(response, source, first, options);
}

async function writeFrames(
  response: ServerResponse,
  source: AsyncIterator<SseFrame>,
  first: Promise<IteratorResult<SseFrame, undefined>>,
  { heartbeats = true, readerTimeoutMs = defaultReaderTimeoutMs, stopping, onError, unread }: StreamOptions,
): Promise<void> {
  const heartbeat = heartbeats ? setInterval(() => write(response, ': heartbeat\n\n'), heartbeatMs) : undefined;
  try {
    let next = await first;
    while (next.done !== true && !response.destroyed) {
      if (!write(response, frameText(next.value)) && !(await waitForDrain(response, readerTimeoutMs, unread))) return;
      next = await source.next();
    }
    if (stopping?.aborted === true) write(response, reconnectNotice);
  } catch (error) {
    onError(error);
  } finally {
    clearInterval(heartbeat);
    response.end();
    await source.return?.().catch(onError);
  }
}

/**
 * One chunk of the body in one piece. The response would make three of it, and a turn of the event loop for each
 * connection: to tell something to ten thousand readers is three times the work then.
 * @returns false when the reader's buffer is full
 */
function write(response: ServerResponse, text: string): boolean {
  const { socket } = response;
  // Headers are out: from here on the connection is this response's alone.
  if (socket === null || !response.chunkedEncoding || response.writableEnded) return response.write(text);
  return socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
}

/** The frame as text; JSON has no line break of its own, so one `data` line holds it. */
function frameText(frame: SseFrame): string {
  const id = frame.id === undefined ? '' : `id: ${frame.id}\n`;
  const event = frame.event === undefined ? '' : `event: ${frame.event}\n`;
  return `${id}${event}data: ${JSON.stringify(frame.data)}\n\n`;
}

/** True when the reader caught up; false when it was cut off. */
async function waitForDrain(
  response: ServerResponse,
  readerTimeoutMs: number,
  unread: StreamOptions['unread'],
): Promise<boolean> {
  const out: Writable = response.socket ?? response;
  if (!out.writableNeedDrain) return true;
  let release: (() => void) | undefined;
  try {
    if (out.writableLength > smallBodyBytes) release = unread?.(out.writableLength);
    await once(out, 'drain', { signal: AbortSignal.timeout(readerTimeoutMs) });
    return true;
  } catch {
    // Too slow, too much, or gone: either way this connection is over, and the client resumes from its last event.
    response.destroy();
    return false;
  } finally {
    release?.();
  }
}
