// The output of one run on its way out: in order, one event at a time, each small, the whole bounded.
import type { NewWorkerEvent } from '../base/event.ts';
import { cleanText, textHead, splitByBytes } from './text.ts';

export type AgentOutputStream = 'stdout' | 'stderr' | 'agent';

export interface OutputWriter {
  /**
   * Resolves when everything of `text` has been taken (or dropped, past the bound), which is what slows a fast agent
   * down. Calls may overlap; their texts keep the order of the calls.
   */
  write(stream: AgentOutputStream, text: string): Promise<void>;
}

export interface OutputWriterOptions {
  emit: (event: NewWorkerEvent) => Promise<void>;
  /** Bytes of UTF-8 for the whole run; then one line says so and the rest is dropped. */
  maxBytes: number;
  /** After it aborts, everything is dropped: nobody waits for the output of a run that is being killed. */
  signal: AbortSignal;
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
    await send(stream, `${textHead(text, left)}\n[output ends here: this run may write ${maxBytes} bytes]\n`);
  }

  return {
    write(stream, text) {
      const clean = cleanText(text);
      // A failed emit ends the run (whoever wrote it sees the error); later writes must not wait for it.
      const write = last.then(() => bounded(stream, clean));
      last = write.catch(() => undefined);
      return write;
    },
  };
}
