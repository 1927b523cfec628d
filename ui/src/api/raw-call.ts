// One call of the service as it goes over the wire: for pages that show requests and answers themselves.
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { currentSession, refuseSession } from '../session/session.ts';
import { actingTenant } from '../session/tenant.ts';
import { noteServiceDate } from './clock.ts';

export interface RawRequest {
  readonly method: string;
  /** Path and query from the root, encoded. */
  readonly path: string;
  /** Without `Authorization` and `X-Tenant-Id`, which are those of this tab. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface RawFrame {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string;
  /** Milliseconds since the call began. */
  readonly atMs: number;
}

export interface RawAnswer {
  readonly status: number;
  /** Lower-case names; `authorization` is never among them. */
  readonly headers: readonly (readonly [string, string])[];
  /** Milliseconds until the last byte that was read. */
  readonly ms: number;
  /** Bytes of the body that were read, decompressed. */
  readonly bytes: number;
  readonly text: string;
  readonly frames: readonly RawFrame[];
  /** `cut`: the body is longer than 8 MiB; `stopped`: the caller ended it. */
  readonly end: 'whole' | 'cut' | 'stopped';
}

export interface RawCallOptions {
  /** Ends the call; what has arrived by then is the answer. */
  readonly signal: AbortSignal;
  /** Called for the head, and as frames of a stream come. */
  readonly onProgress?: (soFar: RawAnswer) => void;
}

const longestBody = 8 * 1024 * 1024;
const headTimeoutMs = 120_000;

/**
 * Sends a call to this page's own origin, with the token and the tenant of this tab and without cookies. No redirect is followed:
 * it answers status 0.
 * @throws RangeError for an address of another origin; errors of `fetch` before the head of the answer
 */
export async function rawCall(request: RawRequest, { signal, onProgress }: RawCallOptions): Promise<RawAnswer> {
  const address = addressOf(request.path);
  const token = currentSession()?.access_token ?? '';
  const began = performance.now();
  const head = new AbortController();
  const timer = setTimeout(() => head.abort(new DOMException('No answer in time.', 'TimeoutError')), headTimeoutMs);
  const response = await fetch(address, {
    method: request.method,
    headers: sentHeaders(request.headers, token),
    credentials: 'omit',
    redirect: 'manual',
    signal: AbortSignal.any([signal, head.signal]),
    ...(request.body !== undefined && { body: request.body }),
  }).finally(() => clearTimeout(timer));
  noteServiceDate(response.headers.get('date'));
  if (response.status === 401) refuseSession(token);
  const reading = new Reading(response, began, onProgress);
  return reading.finish();
}

/** @throws RangeError when the path leaves this origin */
function addressOf(path: string): URL {
  const address = new URL(path, location.origin);
  if (!path.startsWith('/') || address.origin !== location.origin) throw new RangeError(path);
  return address;
}

function sentHeaders(own: Readonly<Record<string, string>>, token: string): Headers {
  const headers = new Headers(own);
  headers.set('authorization', `Bearer ${token}`);
  headers.delete('x-tenant-id');
  const tenant = actingTenant();
  if (tenant !== undefined) headers.set('x-tenant-id', tenant);
  return headers;
}

/** Reads the body of an answer, in pieces, up to the bound. */
class Reading {
  readonly #response: Response;
  readonly #began: number;
  readonly #onProgress: ((soFar: RawAnswer) => void) | undefined;
  #bytes = 0;
  #text = '';
  readonly #frames: RawFrame[] = [];
  #end: RawAnswer['end'] = 'whole';
  #isTelling = false;
  #isDone = false;

  constructor(response: Response, began: number, onProgress: ((soFar: RawAnswer) => void) | undefined) {
    this.#response = response;
    this.#began = began;
    this.#onProgress = onProgress;
  }

  async finish(): Promise<RawAnswer> {
    this.#tell();
    const { body } = this.#response;
    try {
      if (body !== null) await this.#read(body);
    } catch {
      // A body that breaks off is shown as far as it came.
      if (this.#end === 'whole') this.#end = 'stopped';
    }
    this.#isDone = true;
    return this.#answer();
  }

  async #read(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    const text = body.pipeThrough(this.#bound()).pipeThrough(new TextDecoderStream());
    if (this.#isStream()) await this.#readFrames(text);
    else for await (const piece of readAll(text)) this.#text += piece;
  }

  /** At most once a frame of the screen: a fast stream must not hold the page. */
  #tell(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    requestAnimationFrame(() => {
      this.#isTelling = false;
      if (!this.#isDone) this.#onProgress?.(this.#answer());
    });
  }

  async #readFrames(text: ReadableStream<string>): Promise<void> {
    for await (const { id, event, data } of readAll(text.pipeThrough(new EventSourceParserStream()))) {
      this.#frames.push({ id, event, data, atMs: performance.now() - this.#began });
      this.#tell();
    }
  }

  #bound(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
    return new TransformStream({
      transform: (piece, controller) => {
        const room = longestBody - this.#bytes;
        this.#bytes += Math.min(piece.byteLength, room);
        controller.enqueue(piece.subarray(0, room));
        if (piece.byteLength <= room) return;
        this.#end = 'cut';
        controller.terminate();
      },
    });
  }

  #isStream(): boolean {
    return this.#response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  }

  #answer(): RawAnswer {
    return {
      status: this.#response.status,
      headers: [...this.#response.headers],
      ms: performance.now() - this.#began,
      bytes: this.#bytes,
      text: this.#text,
      frames: [...this.#frames],
      end: this.#end,
    };
  }
}

async function* readAll<T>(stream: ReadableStream<T>): AsyncGenerator<T, void, undefined> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}
