// A cache of verified tokens: verifying a signature costs 200 to 400 µs of CPU, a lookup a few.
import type { JWTPayload } from 'jose';
import { sha256 } from '../../lib/digest.ts';

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
    return this.#tokens.get(sha256(token, 'base64'));
  }

  add(token: string, verified: VerifiedToken): void {
    const [oldest] = this.#tokens.keys();
    if (this.#tokens.size >= maxTokens && oldest !== undefined) this.#tokens.delete(oldest);
    this.#tokens.set(sha256(token, 'base64'), verified);
  }
}
