// Counts the wrong tokens of each address. Who tried too many waits; who has a valid token does not wait with them.
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { DomainError } from '../../domain/model/errors.ts';
import { clientNetwork } from '../../lib/net/client-address.ts';
import { sha256 } from '../../lib/digest.ts';

/** Wrong tokens an address may try in a minute before it has to wait. */
const failuresPerMinute = 30;
/** How long a token that was valid is looked up again from an address that has to wait. */
const trustMs = 60_000;
const maxTrustedTokens = 10_000;

export class FailedCredentials {
  readonly #failures = new RateLimiterMemory({ points: failuresPerMinute, duration: 60 });
  /** When a token was last valid, by its digest: the oldest first. */
  readonly #validAt = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Before a token is looked up that this process does not know: from an address with too many wrong ones, only one
   * that was valid a moment ago. So nobody makes the database or a signature work by guessing, and nobody behind the
   * same address loses what he has.
   * @throws DomainError limited
   */
  async admit(address: string, token: string): Promise<void> {
    const tried = await this.#failures.get(clientNetwork(address));
    if (tried === null || tried.remainingPoints > 0 || this.#wasValid(token)) return;
    throw new DomainError(
      'limited',
      'too_many_failures',
      'Too many wrong tokens came from this address. Wait, then try with a valid one.',
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
