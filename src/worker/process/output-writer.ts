// Writes the output of one attempt as events: in order, one at a time, each small, the total limited.
import { unlessAborted } from '../../lib/wait.ts';
import type { NewWorkerEvent } from '../base/event.ts';
import { cleanText, textHead, splitByBytes } from './text.ts';

export type AgentOutputStream = 'stdout' | 'stderr' | 'agent';

export interface OutputWriterOptions {
  readonly emit: (event: NewWorkerEvent) => Promise<void>;
  /** Bytes of UTF-8 for the whole attempt; past it one line says so and the rest is dropped. */
  readonly maxBytes: number;
  /** After it aborts everything is dropped: the output of a killed attempt is not needed. */
  readonly signal: AbortSignal;
}

const maxEventBytes = 64 * 1024;

export class OutputWriter {
  readonly #options: OutputWriterOptions;
  #bytesLeft: number;
  #isFull = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: OutputWriterOptions) {
    this.#options = options;
    this.#bytesLeft = options.maxBytes;
  }

  /**
   * Resolves when all of `text` was taken (or dropped, past the limit), which slows a fast agent down. Calls may
   * overlap; their texts keep the order of the calls.
   */
  write(stream: AgentOutputStream, text: string): Promise<void> {
    const clean = cleanText(text);
    // A failed emit ends the attempt (its caller gets the error); later writes must not wait for it.
    const write = this.#last.then(() => this.#sendBounded(stream, clean));
    this.#last = write.catch(() => undefined);
    return write;
  }

  async #sendBounded(stream: AgentOutputStream, text: string): Promise<void> {
    if (this.#isFull || text === '') return;
    const size = Buffer.byteLength(text);
    if (size <= this.#bytesLeft) {
      this.#bytesLeft -= size;
      await this.#send(stream, text);
      return;
    }
    this.#isFull = true;
    const limit = `[output truncated: the limit of an attempt is ${this.#options.maxBytes} bytes]`;
    await this.#send(stream, `${textHead(text, this.#bytesLeft)}\n${limit}\n`);
  }

  async #send(stream: AgentOutputStream, text: string): Promise<void> {
    const { emit, signal } = this.#options;
    for (const piece of splitByBytes(text, maxEventBytes)) {
      if (signal.aborted) return;
      await unlessAborted(emit({ type: 'output', stream, text: piece }), signal);
    }
  }
}
