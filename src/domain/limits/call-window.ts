// One credential's window of calls as this replica knows it: values and arithmetic, no I/O.
import type { LimitedCredential, WindowState } from '../ports/store/window-ledger.ts';

/** The decision on one call, as it is returned in the headers of every response. */
export interface RateLimitDecision {
  /** False when the limit is reached. */
  readonly allowed: boolean;
  readonly limit: number;
  readonly windowMs: number;
  /** Calls left after this one. */
  readonly remaining: number;
  /** Milliseconds since 1970, by the database's clock. */
  readonly resetAt: number;
  /** Milliseconds until `resetAt`. */
  readonly waitMs: number;
}

/** A call that waits for the ledger's decision. */
export interface WaitingCall {
  readonly settle: (spent: RateLimitDecision) => void;
  readonly reject: (error: unknown) => void;
}

export interface CallWindow extends LimitedCredential {
  /** Milliseconds since 1970, by the database's clock; undefined before the ledger's first answer. */
  startedAt: number | undefined;
  /** Milliseconds by this process's monotonic clock. */
  endsAt: number;
  /** Calls of all replicas that this replica knows of. */
  used: number;
  /** Calls that the ledger knows of: `used` of its last answer. */
  reported: number;
  /** True: counted here, without asking. */
  kept: boolean;
  /** True: another replica wants it, or there is no room for it. */
  isReleasing: boolean;
  waiting: WaitingCall[];
  /** Consecutive answers `elsewhere`. */
  handoverAttempts: number;
  /** When the ledger may be asked again, by the monotonic clock. */
  retryAt: number;
}

export function newWindow({ tenantId, credentialId }: LimitedCredential): CallWindow {
  return {
    tenantId,
    credentialId,
    startedAt: undefined,
    endsAt: 0,
    used: 0,
    reported: 0,
    kept: false,
    isReleasing: false,
    waiting: [],
    handoverAttempts: 0,
    retryAt: 0,
  };
}

/**
 * Applies the ledger's answer to the window.
 * @param requestedAt when the ledger was asked, by the monotonic clock: the window ends at most `endsInMs` after that
 * @param reportedUsed calls that the request reported
 * @returns whether another replica counted calls in this window meanwhile
 */
export function applyState(window: CallWindow, state: WindowState, requestedAt: number, reportedUsed: number): boolean {
  const same = window.startedAt === state.startedAt;
  const others = same && state.used - state.granted > reportedUsed;
  // The ledger's number does not include calls that were counted here during the request.
  const meanwhile = same && window.kept ? window.used - reportedUsed : 0;
  window.startedAt = state.startedAt;
  window.endsAt = requestedAt + state.endsInMs;
  window.used = state.used + meanwhile;
  window.reported = state.used;
  window.kept = state.kept;
  // Asked for while the ledger was told that it stays: the next telling hands it over.
  if (!state.kept) window.isReleasing = false;
  window.handoverAttempts = 0;
  return others;
}
