// The wait before the next try: exponential with jitter, and never shorter than the service asked for.

export interface BackoffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
  readonly random: () => number;
}

const longestRetryAfterMs = 60_000;

/**
 * Doubles from `firstMs` to `maxMs`. Each wait is drawn from its upper half, so that many workers that lost the same
 * service do not return in one wave.
 */
export class Backoff {
  readonly #options: BackoffOptions;
  #failures = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** Milliseconds to wait now. `retryAfterMs` is the service's request, honoured up to a minute. */
  nextMs(retryAfterMs = 0): number {
    const { firstMs, maxMs, random } = this.#options;
    const ceilingMs = Math.min(maxMs, firstMs * 2 ** Math.min(this.#failures, 30));
    this.#failures += 1;
    const backoffMs = ceilingMs * (0.5 + random() / 2);
    const requestedMs = Math.min(retryAfterMs, longestRetryAfterMs);
    return requestedMs > 0 ? requestedMs + backoffMs / 4 : backoffMs;
  }

  /** Must be called after a success: the next failure starts from `firstMs`. */
  reset(): void {
    this.#failures = 0;
  }
}
