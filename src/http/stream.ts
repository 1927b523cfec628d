// The envelope of event streams: frames to Server-Sent Events, with heartbeats and a bounded patience for readers.
import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { SseFrame } from './operation.ts';

/** Milliseconds between comments that keep the connection alive. */
const heartbeatMs = 15_000;
/** Milliseconds a reader may leave its buffer full, unless told otherwise. */
const usualPatienceMs = 30_000;

export interface StreamOptions {
  /** False where the frames themselves bring a heartbeat. */
  readonly heartbeats?: boolean;
  /** Milliseconds a reader may leave its buffer full; then it is cut off and may resume. */
  readonly patienceMs?: number;
  /** Aborts when the service stops: who reads is told to come back at once, to another replica. */
  readonly stopping?: AbortSignal;
}

/** The stream goes on elsewhere, from the last event that was read. */
const goodbye = 'retry: 250\n: this replica stops; come back with Last-Event-ID\n\n';

export const sseHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  connection: 'keep-alive',
} as const;

/**
 * Writes frames until they end, the client goes, or the client reads too slowly. The first frame is asked for before
 * any header is sent, so that a refusal is still an ordinary error answer.
 * @throws what the source throws before its first frame
 */
export async function sendStream(
  response: ServerResponse,
  frames: AsyncIterable<SseFrame>,
  headers: Readonly<Record<string, string>>,
  { heartbeats = true, patienceMs = usualPatienceMs, stopping }: StreamOptions = {},
): Promise<void> {
  const source = frames[Symbol.asyncIterator]();
  let next = await source.next();
  response.writeHead(200, { ...sseHeaders, ...headers });
  response.flushHeaders();
  const beat = heartbeats ? setInterval(() => response.write(': heartbeat\n\n'), heartbeatMs) : undefined;
  try {
    while (next.done !== true && !response.destroyed) {
      if (!response.write(frameText(next.value)) && !(await drained(response, patienceMs))) return;
      next = await source.next();
    }
    if (stopping?.aborted === true) response.write(goodbye);
  } finally {
    clearInterval(beat);
    response.end();
    await source.return?.();
  }
}

/** The frame as text; JSON has no line break of its own, so one `data` line holds it. */
function frameText(frame: SseFrame): string {
  const id = frame.id === undefined ? '' : `id: ${frame.id}\n`;
  const event = frame.event === undefined ? '' : `event: ${frame.event}\n`;
  return `${id}${event}data: ${JSON.stringify(frame.data)}\n\n`;
}

/** True when the reader caught up; false when it was cut off. */
async function drained(response: ServerResponse, patienceMs: number): Promise<boolean> {
  if (!response.writableNeedDrain) return true;
  try {
    await once(response, 'drain', { signal: AbortSignal.timeout(patienceMs) });
    return true;
  } catch {
    // Too slow, or gone: either way this connection is over, and the client resumes from its last event.
    response.destroy();
    return false;
  }
}
