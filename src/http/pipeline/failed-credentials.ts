// Limits the wrong tokens of each client network. Tokens that were valid a moment ago are exempt from the limit.
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { DomainError } from '../../domain/model/errors.ts';
import { clientNetwork } from '../../lib/net/client-address.ts';
import { sha256 } from '../../lib/digest.ts';

/** Wrong tokens that a network may try in a minute before it is blocked. */
const failuresPerMinute = 30;
/** Milliseconds for which a token that was valid is still looked up from a blocked network. */
const trustMs = 60_000;
const maxTrustedTokens = 10_000;

export class FailedCredentials {
  readonly #failures = new RateLimiterMemory({ points: failuresPerMinute, duration: 60 });
  /** Time at which a token was last valid, by the token's digest; oldest first. */
  readonly #validAt = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Call before looking up a token that this process does not know. From a network with too many wrong tokens only a token
   * that was valid a moment ago passes: guessing costs no query and no signature check, and other clients behind the same
   * address keep working.
   * @throws DomainError limited
   */
  async admit(address: string, token: string): Promise<void> {
    const tried = await this.#failures.get(clientNetwork(address));
    if (tried === null || tried.remainingPoints > 0 || this.#wasValid(token)) return;
    throw new DomainError(
      'limited',
      'too_many_failures',
      'Too many wrong tokens were sent from this address. Wait for Retry-After, then send a valid token.',
      { retryAfterSeconds: Math.max(1, Math.ceil(tried.msBeforeNext / 1000)) },
    );
  }

  succeeded(token: string): void {
    const digest = sha256(token, 'base64');
    this.#validAt.delete(digest);
    this.#validAt.set(digest, this.#now());
    const [oldest] = this.#validAt.keys();
    if (this.#validAt.size > maxTrustedTokens && oldest !== undefined) this.#validAt.delete(oldest);
  }

  async failed(address: string): Promise<void> {
    await this.#failures.penalty(clientNetwork(address));
  }

  #wasValid(token: string): boolean {
    const at = this.#validAt.get(sha256(token, 'base64'));
    return at !== undefined && this.#now() - at < trustMs;
  }
}
