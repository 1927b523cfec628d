// Reads server-sent events from the bytes of a response. Runs in browsers, too.
import { createParser, type EventSourceMessage, type ParseError } from 'eventsource-parser';

export type ReceivedFrame = EventSourceMessage;

export interface SseListener {
  readonly onFrame: (frame: ReceivedFrame) => void;
  readonly onId?: (id: string) => void;
  /** A frame is longer than `maxFrameChars`; it is lost, and the stream should be closed. */
  readonly onOverflow?: (error: ParseError) => void;
}

/**
 * A parser for one stream; the caller feeds it each chunk as it arrives.
 * @param maxFrameChars most characters that are kept while a frame is incomplete; default: no limit
 */
export function createSseReader(
  { onFrame, onId, onOverflow }: SseListener,
  maxFrameChars?: number,
): { feed(chunk: Uint8Array): void } {
  const decoder = new TextDecoder();
  const parser = createParser({
    maxBufferSize: maxFrameChars,
    onEvent: onFrame,
    onId,
    // The standard demands that malformed lines are skipped.
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') onOverflow?.(error);
    },
  });
  return { feed: (chunk) => parser.feed(decoder.decode(chunk, { stream: true })) };
}

/**
 * The frames of a stream, in order. Leaving the loop cancels the stream.
 * @param onChunk called for every chunk, comments included
 * @throws what breaks the connection; ParseError for a frame that is too long
 */
export async function* sseFrames(
  stream: ReadableStream<Uint8Array>,
  { maxFrameChars, onChunk }: { readonly maxFrameChars: number; readonly onChunk: () => void },
): AsyncGenerator<ReceivedFrame, void, undefined> {
  let frames: ReceivedFrame[] = [];
  let overflow: ParseError | undefined;
  const listener = {
    onFrame: (frame: ReceivedFrame) => void frames.push(frame),
    onOverflow: (error: ParseError) => (overflow = error),
  };
  const parser = createSseReader(listener, maxFrameChars);
  // Some browsers cannot iterate a stream.
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      onChunk();
      parser.feed(read.value);
      yield* frames;
      frames = [];
      if (overflow !== undefined) throw overflow;
    }
  } finally {
    // Owned: the connection is given up, and the result of cancelling it does not matter.
    void reader.cancel().catch(() => undefined);
  }
}
