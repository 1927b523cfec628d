// Writes the output of one attempt as events: in order, one at a time, each small, the total limited.
import type { NewWorkerEvent } from '../base/event.ts';
import { cleanText, textHead, splitByBytes } from './text.ts';

export type AgentOutputStream = 'stdout' | 'stderr' | 'agent';

export interface OutputWriter {
  /**
   * Resolves when all of `text` was taken (or dropped, past the limit), which slows a fast agent down. Calls may
   * overlap; their texts keep the order of the calls.
   */
  write(stream: AgentOutputStream, text: string): Promise<void>;
}

export interface OutputWriterOptions {
  readonly emit: (event: NewWorkerEvent) => Promise<void>;
  /** Bytes of UTF-8 for the whole attempt; past it one line says so and the rest is dropped. */
  readonly maxBytes: number;
  /** After it aborts everything is dropped: the output of a killed attempt is not needed. */
  readonly signal: AbortSignal;
}

const maxEventBytes = 64 * 1024;

/** Waits for `work`, but no longer than until `signal` aborts. */
async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<void>();
  const onAbort = (): void => aborted.resolve();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

export function createOutputWriter({ emit, maxBytes, signal }: OutputWriterOptions): OutputWriter {
  let left = maxBytes;
  let full = false;
  let last = Promise.resolve();
  async function send(stream: AgentOutputStream, text: string): Promise<void> {
    for (const piece of splitByBytes(text, maxEventBytes)) {
      if (signal.aborted) return;
      await unlessAborted(emit({ type: 'output', stream, text: piece }), signal);
    }
  }

  async function bounded(stream: AgentOutputStream, text: string): Promise<void> {
    if (full || text === '') return;
    const size = Buffer.byteLength(text);
    if (size <= left) {
      left -= size;
      await send(stream, text);
      return;
    }
    full = true;
    await send(stream, `${textHead(text, left)}\n[output truncated: the limit of an attempt is ${maxBytes} bytes]\n`);
  }

  return {
    write(stream, text) {
      const clean = cleanText(text);
      // A failed emit ends the attempt (its caller gets the error); later writes must not wait for it.
      const write = last.then(() => bounded(stream, clean));
      last = write.catch(() => undefined);
      return write;
    },
  };
}
