// Reads an event stream in tests: frame by frame, cut off at will.
import { createParser } from 'eventsource-parser';
import type { TestService, TestUser } from '../service.ts';

export interface Frame {
  readonly id: string | undefined;
  readonly event: string | undefined;
  // The data of any stream: tests look at what they expect of it.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
}

export interface StreamOptions {
  readonly as?: TestUser | undefined;
  readonly lastEventId?: string | undefined;
  /** Cuts the connection as soon as this many bytes have come, be it in the middle of a frame. */
  readonly cutAfterBytes?: number | undefined;
}

export interface Stream extends AsyncDisposable {
  readonly status: number;
  readonly headers: Headers;
  /** Every frame that has come so far, the taken ones too. */
  readonly frames: readonly Frame[];
  /** The next frame; undefined when the stream is over. @throws when neither comes in time */
  next(): Promise<Frame | undefined>;
  /** The next frame of that event, others before it passed over. @throws when the stream ends before it */
  take(event: string): Promise<Frame>;
  /** Resolves when the stream is over, whoever ended it. */
  readonly ended: Promise<void>;
  /** Closes the connection, as a client that goes away. */
  close(): Promise<void>;
}

const patienceMs = 60_000;

/** Opens a stream of the service. @throws when it does not answer 200 */
export async function openStream(
  service: Pick<TestService, 'url' | 'token'>,
  path: string,
  options: StreamOptions = {},
): Promise<Stream> {
  const gone = new AbortController();
  const response = await fetch(`${service.url}${path}`, {
    headers: {
      authorization: `Bearer ${service.token(options.as ?? 'admin')}`,
      accept: 'text/event-stream',
      ...(options.lastEventId === undefined ? {} : { 'last-event-id': options.lastEventId }),
    },
    signal: gone.signal,
  });
  if (response.status !== 200 || response.body === null) {
    throw new Error(`no stream: ${response.status} ${await response.text()}`);
  }
  const inbox = createInbox();
  const ended = pump(response.body, inbox, gone, options.cutAfterBytes).finally(() => inbox.end());
  const next = (): Promise<Frame | undefined> => inbox.next(path);
  const close = async (): Promise<void> => {
    gone.abort();
    await ended;
  };
  return {
    status: response.status,
    headers: response.headers,
    frames: inbox.frames,
    next,
    async take(event) {
      for (let frame = await next(); frame !== undefined; frame = await next()) if (frame.event === event) return frame;
      throw new Error(`${path} ended without the event ${event}`);
    },
    ended,
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Inbox {
  readonly frames: Frame[];
  put(frame: Frame): void;
  end(): void;
  next(what: string): Promise<Frame | undefined>;
}

function createInbox(): Inbox {
  const frames: Frame[] = [];
  const state: { taken: number; over: boolean; notify: (() => void) | undefined } = {
    taken: 0,
    over: false,
    notify: undefined,
  };
  return {
    frames,
    put(frame) {
      frames.push(frame);
      state.notify?.();
    },
    end() {
      state.over = true;
      state.notify?.();
    },
    async next(what) {
      const deadline = Date.now() + patienceMs;
      while (state.taken === frames.length && !state.over) {
        const leftMs = deadline - Date.now();
        if (leftMs <= 0) throw new Error(`${what} sent no frame in ${patienceMs} ms`);
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, leftMs);
          state.notify = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      const frame = frames[state.taken];
      if (frame !== undefined) state.taken += 1;
      return frame;
    },
  };
}

/** Feeds what comes to the inbox until the stream ends, breaks or is cut: all three are an end to its reader. */
async function pump(
  body: ReadableStream<Uint8Array>,
  inbox: Inbox,
  gone: AbortController,
  cutAfterBytes = Infinity,
): Promise<void> {
  const parser = createParser({
    onEvent: ({ id, event, data }) => inbox.put({ id, event, data: JSON.parse(data) }),
  });
  const decoder = new TextDecoder();
  let left = cutAfterBytes;
  try {
    for await (const chunk of body) {
      parser.feed(decoder.decode(chunk.subarray(0, left), { stream: true }));
      left -= chunk.length;
      if (left <= 0) return gone.abort();
    }
  } catch {
    // Aborted by us, or broken by the service: the reader sees the end.
  }
}
