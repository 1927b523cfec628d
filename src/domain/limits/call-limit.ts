// A number of calls for each credential in fixed windows, exact over all replicas.
//
// A window is counted in the memory of the replica where it was opened, which tells the ledger of it a moment later:
// a call costs no round trip. Another replica that gets calls of the same credential asks for the window; it is handed
// over, and counted in the ledger from then on, as are the next ones for a while. So each call is counted in one place
// at a time, and what was counted outlives a replica.
import { unavailable } from '../model/errors.ts';
import type { LimitedCredential, WindowEntry, WindowLedger, WindowState } from '../ports/store/window-ledger.ts';
import { applyState, newWindow, type CallWindow, type RateLimitDecision } from './call-window.ts';

export interface CallLimitOptions {
  readonly ledger: WindowLedger;
  readonly limit: number;
  readonly windowMs: number;
  /** Milliseconds on a clock that never goes back. */
  readonly monotonicNow: () => number;
  /** Credentials remembered at once. */
  readonly maxWindows?: number;
}

/**
 * Milliseconds between two tellings of what was counted here. One costs as much CPU as a hundred calls counted: few
 * calls are told of nearly at once, so that they outlive a replica that is killed; many go together.
 */
const reportEveryMs = { few: 2, many: 1_000 };
/** Calls between two tellings that are many, for each millisecond. */
const busyCallsPerMs = 1;
/** Milliseconds for which windows are counted in the ledger after two replicas met over one. */
const countInLedgerMs = 300_000;
/** Milliseconds between two sweeps of a memory that is full. */
const sweepEveryMs = 100;
/** Milliseconds until a telling that failed is tried again. */
const retryMs = 200;
const maxBatchSize = 500;
/** Times that a replica is asked to hand a window over, about a second in all, before a caller is told to come again. */
const maxHandoverAttempts = 10;

export class CallLimit implements AsyncDisposable {
  readonly #options: CallLimitOptions;
  readonly #maxWindows: number;
  readonly #windows = new Map<string, CallWindow>();
  /** Windows that the ledger has to be asked about or told of. */
  readonly #due = new Set<CallWindow>();
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = 0;
  #settledAt = -Infinity;
  #reportAfterMs = reportEveryMs.few;
  #countedSinceSettled = 0;
  #countInLedgerUntil = -Infinity;
  #sweptAt = -Infinity;
  #closed = false;

  constructor(options: CallLimitOptions) {
    this.#options = options;
    this.#maxWindows = options.maxWindows ?? 10_000;
    options.ledger.onWanted((wanted) => this.#handOver(wanted));
  }

  /** Counts one call. Settles at once where nobody has to be asked. @throws DomainError unavailable */
  spend(counted: LimitedCredential): RateLimitDecision | Promise<RateLimitDecision> {
    const window = this.#findOrAddWindow(counted);
    const now = this.#options.monotonicNow();
    if (window.startedAt !== undefined && now < window.endsAt) {
      if (window.used >= this.#options.limit) return this.#toDecision(window, window.startedAt, false, 0);
      // While calls wait for the ledger's word, what it will grant them is not known here.
      if (window.kept && !window.isReleasing && window.waiting.length === 0) {
        window.used += 1;
        this.#countedSinceSettled += 1;
        this.#schedule(window, this.#settledAt + this.#reportAfterMs);
        return this.#toDecision(window, window.startedAt, true, this.#options.limit - window.used);
      }
    }
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

  /** Forgets what is over; what is counted here is told first, and forgotten the next time. */
  #sweep(): void {
    const now = this.#options.monotonicNow();
    if (now < this.#sweptAt + sweepEveryMs) return;
    this.#sweptAt = now;
    for (const [key, window] of this.#windows) {
      if (window.waiting.length > 0) continue;
      if (window.kept && now < window.endsAt) {
        window.isReleasing = true;
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
    if (window?.kept !== true) return;
    window.isReleasing = true;
    this.#schedule(window, this.#options.monotonicNow());
  }

  /** Has the ledger asked or told about a window, at this time or sooner. */
  #schedule(window: CallWindow, at: number): void {
    this.#due.add(window);
    if (this.#running !== undefined || (this.#timer !== undefined && this.#timerAt <= at)) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (at <= this.#options.monotonicNow()) return this.#startSettling();
    this.#timerAt = at;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#running === undefined) this.#startSettling();
    }, at - this.#options.monotonicNow());
    this.#timer.unref();
  }

  #startSettling(): void {
    // Owned here: #settle never rejects.
    this.#running = this.#settle().finally(() => {
      this.#running = undefined;
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

  /** What came meanwhile: calls that wait go at once, what was counted a little later. */
  #scheduleNext(): void {
    if (this.#closed) return;
    let soonest: CallWindow | undefined;
    let at = Infinity;
    for (const window of this.#due) {
      const waits = window.waiting.length > 0 || window.isReleasing;
      const due = waits ? window.retryAt : Math.max(window.retryAt, this.#settledAt + this.#reportAfterMs);
      if (due < at) [soonest, at] = [window, due];
      if (at <= this.#settledAt) break;
    }
    if (soonest !== undefined) this.#schedule(soonest, at);
  }

  async #settle(): Promise<void> {
    // Calls that came in the same turn of the event loop go together.
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
      // Nobody could count: the callers hear it, and what was counted here is told later.
      windows.forEach((window, i) => {
        for (const call of window.waiting.splice(0, entries[i]?.calls)) call.reject(error);
        if (!window.kept) return;
        window.retryAt = now + retryMs;
        this.#due.add(window);
      });
    }
  }

  #toEntry(window: CallWindow, now: number): WindowEntry {
    const { tenantId, credentialId, startedAt, used, waiting, isReleasing, kept } = window;
    const reported = startedAt === undefined ? undefined : { startedAt, used };
    // One that is counted here stays so until it leaves: calls are counted while the ledger is told.
    return {
      tenantId,
      credentialId,
      calls: waiting.length,
      reported,
      keep: !isReleasing && (kept || this.#canCountLocally(now)),
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
      window.kept = false;
      window.isReleasing = false;
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
    const hasUnreported = window.kept && (window.isReleasing || window.used > window.reported);
    if (window.waiting.length > 0 || hasUnreported) this.#due.add(window);
  }

  /** Another replica counts it and was asked for it: it answers within milliseconds, or is gone. */
  #awaitHandover(window: CallWindow, now: number): void {
    this.#countInLedgerUntil = now + countInLedgerMs;
    window.kept = false;
    window.isReleasing = false;
    window.handoverAttempts += 1;
    window.retryAt = now + Math.min(200, 2 ** window.handoverAttempts);
    if (window.handoverAttempts < maxHandoverAttempts) return;
    window.handoverAttempts = 0;
    const error = unavailable('limit_unavailable', 'The calls of this credential cannot be counted right now.', 1);
    for (const call of window.waiting.splice(0)) call.reject(error);
  }

  /** Hands over every window that is counted here. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#running;
    const now = this.#options.monotonicNow();
    const kept = [...this.#windows.values()].filter((window) => window.kept && now < window.endsAt);
    for (const window of kept) window.isReleasing = true;
    for (let i = 0; i < kept.length; i += maxBatchSize) {
      const entries = kept.slice(i, i + maxBatchSize).map((window) => this.#toEntry(window, now));
      // Should it fail, the session's end lets go of them, with what was told last.
      await this.#options.ledger.settle(entries).catch(() => undefined);
    }
  }
}

function windowKeyOf({ tenantId, credentialId }: LimitedCredential): string {
  return `${tenantId}\n${credentialId}`;
}
