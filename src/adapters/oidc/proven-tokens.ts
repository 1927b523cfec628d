// Tokens that were proven once: a signature costs 200 to 400 µs of CPU, a look here a few.
import { hash } from 'node:crypto';
import type { JWTPayload } from 'jose';

export interface Proven {
  readonly claims: JWTPayload;
  /** The keys that proved it: under others it must be proven anew. */
  readonly keys: object;
}

/** Each holds its claims, about a kilobyte. */
const mostHeld = 5_000;

/** Only what was proven is in here, so that strangers' tokens push nothing out. */
export class ProvenTokens {
  /** By the token's digest, the oldest first. */
  readonly #held = new Map<string, Proven>();

  find(token: string): Proven | undefined {
    return this.#held.get(digestOf(token));
  }

  add(token: string, proven: Proven): void {
    const [oldest] = this.#held.keys();
    if (this.#held.size >= mostHeld && oldest !== undefined) this.#held.delete(oldest);
    this.#held.set(digestOf(token), proven);
  }
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64');
}
