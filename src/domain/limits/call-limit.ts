// Limits the calls of each credential in fixed windows, exactly over all replicas.
//
// The replica that opens a window counts it in memory and reports to the ledger a moment later, so a call costs no round
// trip. Another replica that gets calls of the same credential asks for the window: it is handed over and counted in the
// ledger from then on, as are the following windows for a while. Each call is therefore counted in one place at a time,
// and counts survive the end of a replica.
import { unavailable, type DomainError } from '../model/errors.ts';
import type { LimitedCredential, WindowEntry, WindowLedger, WindowState } from '../ports/window-ledger.ts';
import { applyState, newWindow, type CallWindow, type RateLimitDecision } from './call-window.ts';

export interface CallLimitOptions {
  readonly ledger: WindowLedger;
  readonly limit: number;
  readonly windowMs: number;
  /** Milliseconds by a monotonic clock. */
  readonly monotonicNow: () => number;
  /** Maximum credentials kept in memory. */
  readonly maxWindows?: number;
}

/**
 * Milliseconds between two reports. A report costs as much CPU as counting a hundred calls: under low load calls are
 * reported almost immediately, so that their count survives a killed replica; under high load they are batched.
 */
const reportEveryMs = { few: 2, many: 1_000 };
/** Load is high above this many calls per millisecond between two reports. */
const busyCallsPerMs = 1;
/** How long windows are counted in the ledger after two replicas had calls of the same one, in milliseconds. */
const countInLedgerMs = 300_000;
/** Minimum milliseconds between two sweeps of a full memory. */
const sweepEveryMs = 100;
/** Milliseconds until a failed report is retried. */
const retryMs = 200;
const maxBatchSize = 500;
/** How often a replica is asked to hand a window over, about a second in all, before the waiting calls are rejected. */
const maxHandoverAttempts = 10;

/**
 * Counts calls, and settles windows with the ledger in batches. Each window has a mode of its own (`WindowMode`).
 *
 * The limit is always in one of these modes:
 *
 * - `idle`: the initial mode. No window is due.
 * - `scheduled`: the timer fires at `#timerAt` and moves the limit to `settling`. A window that is due earlier sets the
 *   timer forward; one that is due now moves the limit to `settling` directly.
 * - `settling`: a batch is with the ledger. Windows that become due wait. When the answers have arrived, the limit moves
 *   to `scheduled` or `settling` for the windows that are due next, or else to `idle`.
 * - `closed`: the final mode, entered by disposal. The batch in progress completes, every window in memory is handed
 *   over, and calls that wait or would have to wait are rejected.
 */
export class CallLimit implements AsyncDisposable {
  readonly #options: CallLimitOptions;
  readonly #maxWindows: number;
  readonly #windows = new Map<string, CallWindow>();
  /** Windows with calls that wait for the ledger, or with counts to report. */
  readonly #due = new Set<CallWindow>();
  #mode: 'idle' | 'scheduled' | 'settling' | 'closed' = 'idle';
  /** Resolves when the latest batch is settled. */
  #settling: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer fires; valid while `scheduled`. */
  #timerAt = 0;
  #settledAt = -Infinity;
  #reportAfterMs = reportEveryMs.few;
  #countedSinceSettled = 0;
  #countInLedgerUntil = -Infinity;
  #sweptAt = -Infinity;

  constructor(options: CallLimitOptions) {
    this.#options = options;
    this.#maxWindows = options.maxWindows ?? 10_000;
    options.ledger.onWanted((wanted) => this.#handOver(wanted));
  }

  /** Counts one call. Returns without a promise when the ledger is not needed. @throws DomainError unavailable */
  spend(counted: LimitedCredential): RateLimitDecision | Promise<RateLimitDecision> {
    const window = this.#findOrAddWindow(counted);
    const now = this.#options.monotonicNow();
    if (window.startedAt !== undefined && now < window.endsAt) {
      if (window.used >= this.#options.limit) return this.#toDecision(window, window.startedAt, false, 0);
      // While calls wait for the ledger, it is unknown how many of them it will grant.
      if (window.mode === 'memory' && window.waiting.length === 0) {
        window.used += 1;
        this.#countedSinceSettled += 1;
        this.#schedule(window, this.#settledAt + this.#reportAfterMs);
        return this.#toDecision(window, window.startedAt, true, this.#options.limit - window.used);
      }
    }
    if (this.#mode === 'closed') return Promise.reject(limitUnavailable());
    return new Promise((settle, reject) => {
      window.waiting.push({ settle, reject });
      this.#schedule(window, window.retryAt);
    });
  }

  #findOrAddWindow(counted: LimitedCredential): CallWindow {
    const key = windowKeyOf(counted);
    const known = this.#windows.get(key);
    if (known !== undefined) return known;
    if (this.#windows.size >= this.#maxWindows) this.#sweep();
    const window = newWindow(counted);
    this.#windows.set(key, window);
    return window;
  }

  #toDecision(window: CallWindow, startedAt: number, allowed: boolean, remaining: number): RateLimitDecision {
    const { limit, windowMs, monotonicNow } = this.#options;
    const waitMs = Math.max(0, window.endsAt - monotonicNow());
    return { allowed, limit, windowMs, remaining, resetAt: startedAt + windowMs, waitMs };
  }

  /** Forgets windows that have ended or are in the ledger. Live ones in memory are released, and forgotten the next time. */
  #sweep(): void {
    const now = this.#options.monotonicNow();
    if (now < this.#sweptAt + sweepEveryMs) return;
    this.#sweptAt = now;
    for (const [key, window] of this.#windows) {
      if (window.waiting.length > 0) continue;
      if (window.mode !== 'ledger' && now < window.endsAt) {
        window.mode = 'releasing';
        this.#schedule(window, now);
      } else {
        this.#due.delete(window);
        this.#windows.delete(key);
      }
    }
  }

  #handOver(counted: LimitedCredential): void {
    const window = this.#windows.get(windowKeyOf(counted));
    this.#countInLedgerUntil = this.#options.monotonicNow() + countInLedgerMs;
    if (window === undefined || window.mode === 'ledger') return;
    window.mode = 'releasing';
    this.#schedule(window, this.#options.monotonicNow());
  }

  /** Settles the window at this time, or earlier. */
  #schedule(window: CallWindow, at: number): void {
    this.#due.add(window);
    if (this.#mode === 'settling' || this.#mode === 'closed') return;
    if (this.#mode === 'scheduled' && this.#timerAt <= at) return;
    clearTimeout(this.#timer);
    const waitMs = at - this.#options.monotonicNow();
    if (waitMs <= 0) return this.#startSettling();
    this.#mode = 'scheduled';
    this.#timerAt = at;
    this.#timer = setTimeout(() => this.#startSettling(), waitMs);
    this.#timer.unref();
  }

  #startSettling(): void {
    this.#mode = 'settling';
    // Owned by `#settling`: #settle never rejects.
    this.#settling = this.#settle().finally(() => {
      if (this.#mode === 'closed') return;
      this.#mode = 'idle';
      this.#adjustPace();
      this.#scheduleNext();
    });
  }

  #adjustPace(): void {
    const now = this.#options.monotonicNow();
    const many = this.#countedSinceSettled > busyCallsPerMs * (now - this.#settledAt);
    this.#reportAfterMs = many ? reportEveryMs.many : reportEveryMs.few;
    this.#settledAt = now;
    this.#countedSinceSettled = 0;
  }

  /** Schedules windows that became due during the batch: calls that wait immediately, counts to report a little later. */
  #scheduleNext(): void {
    let soonest: CallWindow | undefined;
    let at = Infinity;
    for (const window of this.#due) {
      const waits = window.waiting.length > 0 || window.mode === 'releasing';
      const due = waits ? window.retryAt : Math.max(window.retryAt, this.#settledAt + this.#reportAfterMs);
      if (due < at) [soonest, at] = [window, due];
      if (at <= this.#settledAt) break;
    }
    if (soonest !== undefined) this.#schedule(soonest, at);
  }

  async #settle(): Promise<void> {
    // Batch the calls of one turn of the event loop.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    const now = this.#options.monotonicNow();
    const windows: CallWindow[] = [];
    for (const window of this.#due) {
      if (window.retryAt > now) continue;
      windows.push(window);
      this.#due.delete(window);
      if (windows.length === maxBatchSize) break;
    }
    if (windows.length === 0) return;
    const entries = windows.map((window) => this.#toEntry(window, now));
    try {
      const answers = await this.#options.ledger.settle(entries);
      windows.forEach((window, i) => this.#applyAnswer(window, entries[i], answers[i] ?? 'over', now));
    } catch (error) {
      // The ledger is unavailable: reject the calls that wait for it, and report the counts later.
      windows.forEach((window, i) => {
        for (const call of window.waiting.splice(0, entries[i]?.calls)) call.reject(error);
        if (window.mode === 'ledger') return;
        window.retryAt = now + retryMs;
        this.#due.add(window);
      });
    }
  }

  #toEntry(window: CallWindow, now: number): WindowEntry {
    const { tenantId, credentialId, startedAt, used, waiting, mode } = window;
    const reported = startedAt === undefined ? undefined : { startedAt, used };
    // A window in memory stays there until it is released: calls are counted during the report.
    return {
      tenantId,
      credentialId,
      calls: waiting.length,
      reported,
      keep: mode === 'memory' || (mode === 'ledger' && this.#canCountLocally(now)),
    };
  }

  #canCountLocally(now: number): boolean {
    return now >= this.#countInLedgerUntil && this.#windows.size <= this.#maxWindows;
  }

  #applyAnswer(
    window: CallWindow,
    entry: WindowEntry | undefined,
    answer: WindowState | 'elsewhere' | 'over',
    requestedAt: number,
  ): void {
    if (answer === 'over') {
      window.mode = 'ledger';
    } else if (answer === 'elsewhere') this.#awaitHandover(window, requestedAt);
    else {
      if (applyState(window, answer, requestedAt, entry?.reported?.used ?? 0))
        this.#countInLedgerUntil = requestedAt + countInLedgerMs;
      const before = answer.used - answer.granted;
      window.waiting.splice(0, entry?.calls).forEach((call, i) => {
        const allowed = i < answer.granted;
        const remaining = allowed ? this.#options.limit - before - i - 1 : 0;
        call.settle(this.#toDecision(window, answer.startedAt, allowed, remaining));
      });
    }
    const hasUnreported = window.mode === 'releasing' || (window.mode === 'memory' && window.used > window.reported);
    if (window.waiting.length > 0 || hasUnreported) this.#due.add(window);
  }

  /** Another replica counts the window and was asked to hand it over: it does within milliseconds, or has died. */
  #awaitHandover(window: CallWindow, now: number): void {
    this.#countInLedgerUntil = now + countInLedgerMs;
    window.mode = 'ledger';
    window.handoverAttempts += 1;
    window.retryAt = now + Math.min(200, 2 ** window.handoverAttempts);
    if (window.handoverAttempts < maxHandoverAttempts) return;
    window.handoverAttempts = 0;
    rejectWaiting(window);
  }

  /** Hands over every window in memory, and rejects the calls that wait. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#mode = 'closed';
    clearTimeout(this.#timer);
    await this.#settling;
    const now = this.#options.monotonicNow();
    for (const window of this.#windows.values()) rejectWaiting(window);
    const kept = [...this.#windows.values()].filter((window) => window.mode !== 'ledger' && now < window.endsAt);
    for (const window of kept) window.mode = 'releasing';
    for (let i = 0; i < kept.length; i += maxBatchSize) {
      const entries = kept.slice(i, i + maxBatchSize).map((window) => this.#toEntry(window, now));
      // If this fails, the end of the database session releases the windows with their last reported counts.
      await this.#options.ledger.settle(entries).catch(() => undefined);
    }
  }
}

function rejectWaiting(window: CallWindow): void {
  for (const call of window.waiting.splice(0)) call.reject(limitUnavailable());
}

function limitUnavailable(): DomainError {
  return unavailable('limit_unavailable', 'Could not count the calls of this credential. Retry shortly.', 1);
}

function windowKeyOf({ tenantId, credentialId }: LimitedCredential): string {
  return `${tenantId}\n${credentialId}`;
}
