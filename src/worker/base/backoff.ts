// The wait before the next try: exponential with jitter, and never shorter than the service asked for.

export interface Backoff {
  /** Milliseconds to wait now. `retryAfterMs` is the service's request, honoured up to a minute. */
  nextMs(retryAfterMs?: number): number;
  /** Must be called after a success: the next failure starts from `firstMs`. */
  reset(): void;
}

const longestRetryAfterMs = 60_000;

/**
 * Doubles from `firstMs` to `maxMs`. Each wait is drawn from its upper half, so that many workers that lost the same
 * service do not return in one wave.
 */
export function createBackoff(options: { firstMs: number; maxMs: number; random: () => number }): Backoff {
  let failures = 0;
  return {
    nextMs(retryAfterMs = 0) {
      const ceilingMs = Math.min(options.maxMs, options.firstMs * 2 ** Math.min(failures, 30));
      failures += 1;
      const backoffMs = ceilingMs * (0.5 + options.random() / 2);
      const requestedMs = Math.min(retryAfterMs, longestRetryAfterMs);
      return requestedMs > 0 ? requestedMs + backoffMs / 4 : backoffMs;
    },
    reset() {
      failures = 0;
    },
  };
}
