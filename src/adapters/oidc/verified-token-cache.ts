// Tokens that were proven once: a signature costs 200 to 400 µs of CPU, a look here a few.
import { hash } from 'node:crypto';
import type { JWTPayload } from 'jose';

export interface VerifiedToken {
  readonly claims: JWTPayload;
  /** The keys that proved it: under others it must be proven anew. */
  readonly keys: object;
}

/** Each holds its claims, about a kilobyte. */
const maxTokens = 5_000;

/** Only what was proven is in here, so that strangers' tokens push nothing out. */
export class VerifiedTokenCache {
  /** By the token's digest, the oldest first. */
  readonly #tokens = new Map<string, VerifiedToken>();

  find(token: string): VerifiedToken | undefined {
    return this.#tokens.get(digestOf(token));
  }

  add(token: string, verified: VerifiedToken): void {
    const [oldest] = this.#tokens.keys();
    if (this.#tokens.size >= maxTokens && oldest !== undefined) this.#tokens.delete(oldest);
    this.#tokens.set(digestOf(token), verified);
  }
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64');
}
