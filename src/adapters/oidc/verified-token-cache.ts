// A cache of verified tokens: verifying a signature costs 200 to 400 µs of CPU, a lookup a few.
import { hash } from 'node:crypto';
import type { JWTPayload } from 'jose';

export interface VerifiedToken {
  readonly claims: JWTPayload;
  /** The keys that verified the token; it is verified again with other keys. */
  readonly keys: object;
}

/** Each entry holds the claims, about a kilobyte. */
const maxTokens = 5_000;

/** Holds verified tokens only, so that invalid tokens cannot evict any. */
export class VerifiedTokenCache {
  /** Keyed by the token's digest, the oldest first. */
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
