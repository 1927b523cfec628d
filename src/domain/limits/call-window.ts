// One credential's window of calls as this replica knows it: values and arithmetic alone.
import type { LimitedCredential, WindowState } from '../ports/store/window-ledger.ts';

/** What a caller is told of its calls, with every answer. */
export interface RateLimitDecision {
  /** False: there was nothing left for this call. */
  readonly allowed: boolean;
  readonly limit: number;
  readonly windowMs: number;
  /** Calls left after this one. */
  readonly remaining: number;
  /** Milliseconds since 1970, by the database's clock. */
  readonly resetAt: number;
  /** Milliseconds until then. */
  readonly waitMs: number;
}

/** A call that waits for the ledger's word. */
export interface WaitingCall {
  readonly settle: (spent: RateLimitDecision) => void;
  readonly reject: (error: unknown) => void;
}

export interface CallWindow extends LimitedCredential {
  /** Undefined: the ledger was not asked yet. Milliseconds since 1970, by the database's clock. */
  startedAt: number | undefined;
  /** By this process's own clock, which never goes back. */
  endsAt: number;
  /** Calls known to be counted, of every replica. */
  used: number;
  /** Calls that the ledger knows of. */
  reported: number;
  /** True: counted here, without asking. */
  kept: boolean;
  /** True: another replica wants it, or there is no room for it. */
  isReleasing: boolean;
  waiting: WaitingCall[];
  /** Times that it was found to be counted elsewhere in a row, and when to ask again. */
  handoverAttempts: number;
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
 * Takes over what the ledger says.
 * @param requestedAt when it was asked, by this process's clock: the window ends no later than counted from there
 * @param reportedUsed what it was told that was counted here
 * @returns whether somebody else counted in this window meanwhile
 */
export function applyState(window: CallWindow, state: WindowState, requestedAt: number, reportedUsed: number): boolean {
  const same = window.startedAt === state.startedAt;
  const others = same && state.used - state.granted > reportedUsed;
  // What was counted here while the ledger was asked is not in its number.
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
