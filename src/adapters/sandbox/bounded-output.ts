// The output of a run, kept up to a limit.
import type { Readable } from 'node:stream';

export class BoundedOutput {
  readonly #chunks: Buffer[] = [];
  #size = 0;

  /** @param over called when the output exceeds the limit; the stream is not read any further */
  constructor(stream: Readable, maxBytes: number, over: () => void) {
    stream.on('data', (chunk: Buffer) => {
      const remaining = maxBytes - this.#size;
      if (remaining > 0) this.#chunks.push(chunk.length > remaining ? chunk.subarray(0, remaining) : chunk);
      this.#size += chunk.length;
      if (this.#size <= maxBytes) return;
      // Further writes of the run fail with a broken pipe.
      stream.destroy();
      over();
    });
    // A pipe that breaks when its process dies has delivered all its output.
    stream.on('error', () => undefined);
  }

  /** Decoded as UTF-8; invalid bytes become U+FFFD. */
  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}
