// What a run writes, kept up to a bound.
import type { Readable } from 'node:stream';

export class BoundedOutput {
  readonly #chunks: Buffer[] = [];
  #size = 0;

  /** @param over called when more comes than is kept; it is not read any further */
  constructor(stream: Readable, maxBytes: number, over: () => void) {
    stream.on('data', (chunk: Buffer) => {
      const remaining = maxBytes - this.#size;
      if (remaining > 0) this.#chunks.push(chunk.length > remaining ? chunk.subarray(0, remaining) : chunk);
      this.#size += chunk.length;
      if (this.#size <= maxBytes) return;
      // Whoever writes on gets a broken pipe.
      stream.destroy();
      over();
    });
    // A pipe that breaks with its process has told all it had.
    stream.on('error', () => undefined);
  }

  /** As UTF-8; what is none becomes U+FFFD. */
  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}
