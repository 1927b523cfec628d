// Event streams: writes frames as Server-Sent Events, with heartbeats and a time limit for slow readers.
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { once } from 'node:events';
import type { UnreadAnswers } from '../../domain/limits/unread-answers.ts';
import type { Caller } from '../../domain/model/access/caller.ts';
import type { StreamStarted, SseFrame } from '../pipeline/operation.ts';

/** Milliseconds between comments that keep the connection alive. */
const heartbeatMs = 15_000;
/** Milliseconds for which a client's buffer may stay full before it is disconnected, unless configured; for any answer. */
export const defaultReaderTimeoutMs = 30_000;
/** Characters, or bytes, up to which an unread answer or frame is not counted as unread. */
export const smallBodyBytes = 64 * 1024;

export interface StreamOptions {
  /** False where the frames include heartbeats of their own. */
  readonly heartbeats?: boolean | undefined;
  /** Milliseconds for which the client's buffer may stay full; then it is disconnected and may resume. */
  readonly readerTimeoutMs?: number;
  /** Aborts when the service stops: readers get a notice to reconnect at once, to another replica. */
  readonly stopping?: AbortSignal;
  readonly started?: StreamStarted | undefined;
  /** Called when the stream begins, before any header is sent: if it throws, the answer is an ordinary error. */
  readonly onStart?: () => Promise<void>;
  /** Counts unread bytes. @returns a callback for when they have been read @throws DomainError above the limit */
  readonly unread?: ((bytes: number) => () => void) | undefined;
  /** Called with the error that broke a stream after its start; the client resumes from its last event. */
  readonly onError: (error: unknown) => void;
}

interface StreamFailure {
  readonly request_id: string;
  /** Set for a REST call. */
  readonly operation?: string;
  readonly error: unknown;
}
export type StreamLog = (line: string, details: StreamFailure) => void;

/** Logs the error that breaks a stream. A function of its own, so that its closure retains nothing else of the call. */
export function streamErrorLogger(log: StreamLog, details: Omit<StreamFailure, 'error'>): StreamOptions['onError'] {
  return (error) => log('a stream failed; its client may resume it', { ...details, error });
}

/** A function of its own for the same reason. */
export function unreadCounter(unread: UnreadAnswers, caller: Caller): NonNullable<StreamOptions['unread']> {
  return (bytes) => unread.reserve(caller, bytes);
}

/** Sent when the service stops: another replica continues from the last event that was read. */
const reconnectNotice = 'retry: 250\n: this replica is stopping; reconnect with Last-Event-ID\n\n';

export const sseHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
  connection: 'keep-alive',
} as const;

/**
 * Writes frames until they end, the client disconnects, or the client reads too slowly. Resolves when the stream has begun,
 * so that its caller retains nothing for the hours that it may last. The first frame is requested before any header is sent:
 * a rejection is still an ordinary error answer. A stream that continues after the last event resolves `started` instead,
 * because its first frame may be hours away.
 * @throws what the source throws before its first frame, and what `onStart` throws
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
    // Owned: not awaited, because the first frame may be pending until the client has its answer and disconnects.
    void Promise.allSettled([first, source.return?.()]);
    throw error;
  }
  response.writeHead(200, { ...sseHeaders, ...headers });
  response.flushHeaders();
  if (response.req.method === 'HEAD') {
    // The connection stays open for the next call; the frames are dropped, as above.
    response.end();
    void Promise.allSettled([first, source.return?.()]);
    return;
  }
  // Owned: it reports errors to `onError` and never rejects.
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
 * Writes one chunk of the body as one piece. The response would write it in three pieces and defer each to the next tick:
 * three times the work for a frame to ten thousand readers.
 * @returns false when the client's buffer is full
 */
function write(response: ServerResponse, text: string): boolean {
  const { socket } = response;
  // The headers have been sent: from here on only this response writes to the connection.
  if (socket === null || !response.chunkedEncoding || response.writableEnded) return response.write(text);
  return socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
}

/** The frame as text. JSON text has no line breaks, so it fits on one `data` line. */
function frameText(frame: SseFrame): string {
  const id = frame.id === undefined ? '' : `id: ${frame.id}\n`;
  const event = frame.event === undefined ? '' : `event: ${frame.event}\n`;
  return `${id}${event}data: ${JSON.stringify(frame.data)}\n\n`;
}

/** True when the client caught up; false when it was disconnected. */
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
    // The client is too slow, above the limit, or gone. In each case the connection ends, and it resumes from its last event.
    response.destroy();
    return false;
  } finally {
    release?.();
  }
}
