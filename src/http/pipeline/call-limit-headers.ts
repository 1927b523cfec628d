// Rate-limit headers: those of core-8, and those of the draft standard (draft-ietf-httpapi-ratelimit-headers).
import type { RateLimitDecision } from '../../domain/limits/call-window.ts';

/** Headers of every answer of a rate-limited operation, errors included. `x-ratelimit-reset` is in Unix seconds, the others in seconds. */
export function callLimitHeaders(decision: RateLimitDecision): Record<string, string> {
  const { limit, remaining, resetAt, waitMs, windowMs } = decision;
  const wait = secondsOf(waitMs);
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
    'ratelimit-policy': `"credential";q=${limit};w=${Math.ceil(windowMs / 1000)}`,
    ratelimit: `"credential";r=${remaining};t=${wait}`,
  };
}

/** Milliseconds as whole seconds, rounded up; at least 1, because after 0 seconds the window may still be open. */
export function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
