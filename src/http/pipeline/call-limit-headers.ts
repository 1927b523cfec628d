// What a limited operation's answers say of the calls that are left. core-8, and beside it the draft standard
// (draft-ietf-httpapi-ratelimit-headers).
import type { RateLimitDecision } from '../../domain/limits/call-window.ts';

/** Headers of every answer of such an operation, the refusing ones too. Times are Unix seconds, and seconds. */
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

/** Whole seconds until a window is over: never 0, for then it may not be over yet. */
export function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
