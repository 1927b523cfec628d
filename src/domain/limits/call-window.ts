// One credential's window of calls as this replica knows it: values and arithmetic, no I/O.
import type { LimitedCredential, WindowState } from '../ports/window-ledger.ts';

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

/**
 * The place where the calls of a window are counted:
 *
 * - `ledger`: the initial mode. Each call waits for the ledger, which counts it. An answer with `kept` moves the window
 *   to `memory`.
 * - `memory`: this replica counts calls itself and reports them later. The window moves to `releasing` when another
 *   replica wants it, when memory is full, or when the service stops; it moves to `ledger` when it has ended or the
 *   ledger does not let this replica keep it.
 * - `releasing`: as `memory`, but new calls wait, and the next report gives the window up. Its answer moves the window
 *   to `ledger`. An answer to an earlier report, which still kept the window, leaves it here.
 */
export type WindowMode = 'ledger' | 'memory' | 'releasing';

export interface CallWindow extends LimitedCredential {
  /** Milliseconds since 1970, by the database's clock; undefined before the ledger's first answer. */
  startedAt: number | undefined;
  /** Milliseconds by this process's monotonic clock. */
  endsAt: number;
  /** Calls of all replicas that this replica knows of. */
  used: number;
  /** Calls that the ledger knows of: `used` of its last answer. */
  reported: number;
  mode: WindowMode;
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
    mode: 'ledger',
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
  const meanwhile = same && window.mode !== 'ledger' ? window.used - reportedUsed : 0;
  window.startedAt = state.startedAt;
  window.endsAt = requestedAt + state.endsInMs;
  window.used = state.used + meanwhile;
  window.reported = state.used;
  if (!state.kept) window.mode = 'ledger';
  else if (window.mode === 'ledger') window.mode = 'memory';
  window.handoverAttempts = 0;
  return others;
}
