// A number of calls for each credential in fixed windows, exact over all replicas.
//
// A window is counted in the memory of the replica where it was opened, which tells the ledger of it a moment later:
// a call costs no round trip. Another replica that gets calls of the same credential asks for the window; it is handed
// over, and counted in the ledger from then on, as are the next ones for a while. So each call is counted in one place
// at a time, and what was counted outlives a replica.
import { unavailable } from '../model/errors.ts';
import type { Counted, WindowEntry, WindowLedger, WindowState } from '../ports/store/window-ledger.ts';
import { learn, newWindow, type CallWindow, type Spent } from './call-window.ts';

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
const tellEveryMs = { few: 2, many: 1_000 };
/** Calls between two tellings that are many, for each millisecond. */
const manyPerMs = 1;
/** Milliseconds for which windows are counted in the ledger after two replicas met over one. */
const sharedForMs = 300_000;
/** Milliseconds between two sweeps of a memory that is full. */
const sweepEveryMs = 100;
/** Milliseconds until a telling that failed is tried again. */
const retryMs = 200;
const mostEntries = 500;
/** Times that a replica is asked to hand a window over, about a second in all, before a caller is told to come again. */
const mostAsks = 10;

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
  #tellAfterMs = tellEveryMs.few;
  #countedSince = 0;
  #sharedUntil = -Infinity;
  #sweptAt = -Infinity;
  #closed = false;

  constructor(options: CallLimitOptions) {
    this.#options = options;
    this.#maxWindows = options.maxWindows ?? 10_000;
    options.ledger.onWanted((wanted) => this.#wanted(wanted));
  }

  /** Counts one call. Settles at once where nobody has to be asked. @throws DomainError unavailable */
  spend(counted: Counted): Spent | Promise<Spent> {
    const window = this.#windowOf(counted);
    const now = this.#options.monotonicNow();
    if (window.startedAt !== undefined && now < window.endsAt) {
      if (window.used >= this.#options.limit) return this.#spent(window, window.startedAt, false, 0);
      // While calls wait for the ledger's word, what it will grant them is not known here.
      if (window.kept && !window.leaving && window.waiting.length === 0) {
        window.used += 1;
        this.#countedSince += 1;
        this.#plan(window, this.#settledAt + this.#tellAfterMs);
        return this.#spent(window, window.startedAt, true, this.#options.limit - window.used);
      }
    }
    return new Promise((settle, reject) => {
      window.waiting.push({ settle, reject });
      this.#plan(window, window.askAgainAt);
    });
  }

  #windowOf(counted: Counted): CallWindow {
    const key = keyOf(counted);
    const known = this.#windows.get(key);
    if (known !== undefined) return known;
    if (this.#windows.size >= this.#maxWindows) this.#sweep();
    const window = newWindow(counted);
    this.#windows.set(key, window);
    return window;
  }

  #spent(window: CallWindow, startedAt: number, allowed: boolean, remaining: number): Spent {
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
        window.leaving = true;
        this.#plan(window, now);
      } else {
        this.#due.delete(window);
        this.#windows.delete(key);
      }
    }
  }

  #wanted(counted: Counted): void {
    const window = this.#windows.get(keyOf(counted));
    this.#sharedUntil = this.#options.monotonicNow() + sharedForMs;
    if (window?.kept !== true) return;
    window.leaving = true;
    this.#plan(window, this.#options.monotonicNow());
  }

  /** Has the ledger asked or told about a window, at this time or sooner. */
  #plan(window: CallWindow, at: number): void {
    this.#due.add(window);
    if (this.#running !== undefined || (this.#timer !== undefined && this.#timerAt <= at)) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (at <= this.#options.monotonicNow()) return this.#run();
    this.#timerAt = at;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#running === undefined) this.#run();
    }, at - this.#options.monotonicNow());
    this.#timer.unref();
  }

  #run(): void {
    // Owned here: #settle never rejects.
    this.#running = this.#settle().finally(() => {
      this.#running = undefined;
      this.#pace();
      this.#planRest();
    });
  }

  #pace(): void {
    const now = this.#options.monotonicNow();
    const many = this.#countedSince > manyPerMs * (now - this.#settledAt);
    this.#tellAfterMs = many ? tellEveryMs.many : tellEveryMs.few;
    this.#settledAt = now;
    this.#countedSince = 0;
  }

  /** What came meanwhile: calls that wait go at once, what was counted a little later. */
  #planRest(): void {
    if (this.#closed) return;
    let soonest: CallWindow | undefined;
    let at = Infinity;
    for (const window of this.#due) {
      const waits = window.waiting.length > 0 || window.leaving;
      const due = waits ? window.askAgainAt : Math.max(window.askAgainAt, this.#settledAt + this.#tellAfterMs);
      if (due < at) [soonest, at] = [window, due];
      if (at <= this.#settledAt) break;
    }
    if (soonest !== undefined) this.#plan(soonest, at);
  }

  async #settle(): Promise<void> {
    // Calls that came in the same turn of the event loop go together.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    const now = this.#options.monotonicNow();
    const windows: CallWindow[] = [];
    for (const window of this.#due) {
      if (window.askAgainAt > now) continue;
      windows.push(window);
      this.#due.delete(window);
      if (windows.length === mostEntries) break;
    }
    if (windows.length === 0) return;
    const asked = windows.map((window) => this.#entryOf(window, now));
    try {
      const answers = await this.#options.ledger.settle(asked);
      windows.forEach((window, i) => this.#hear(window, asked[i], answers[i] ?? 'over', now));
    } catch (error) {
      // Nobody could count: the callers hear it, and what was counted here is told later.
      windows.forEach((window, i) => {
        for (const call of window.waiting.splice(0, asked[i]?.calls)) call.reject(error);
        if (!window.kept) return;
        window.askAgainAt = now + retryMs;
        this.#due.add(window);
      });
    }
  }

  #entryOf(window: CallWindow, now: number): WindowEntry {
    const { tenantId, credentialId, startedAt, used, waiting, leaving, kept } = window;
    const told = startedAt === undefined ? undefined : { startedAt, used };
    // One that is counted here stays so until it leaves: calls are counted while the ledger is told.
    return { tenantId, credentialId, calls: waiting.length, told, keep: !leaving && (kept || this.#mayKeep(now)) };
  }

  #mayKeep(now: number): boolean {
    return now >= this.#sharedUntil && this.#windows.size <= this.#maxWindows;
  }

  #hear(
    window: CallWindow,
    asked: WindowEntry | undefined,
    answer: WindowState | 'elsewhere' | 'over',
    askedAt: number,
  ): void {
    if (answer === 'over') {
      window.kept = false;
      window.leaving = false;
    } else if (answer === 'elsewhere') this.#turnedAway(window, askedAt);
    else {
      if (learn(window, answer, askedAt, asked?.told?.used ?? 0)) this.#sharedUntil = askedAt + sharedForMs;
      const before = answer.used - answer.granted;
      window.waiting.splice(0, asked?.calls).forEach((call, i) => {
        const allowed = i < answer.granted;
        const remaining = allowed ? this.#options.limit - before - i - 1 : 0;
        call.settle(this.#spent(window, answer.startedAt, allowed, remaining));
      });
    }
    const untold = window.kept && (window.leaving || window.used > window.told);
    if (window.waiting.length > 0 || untold) this.#due.add(window);
  }

  /** Another replica counts it and was asked for it: it answers within milliseconds, or is gone. */
  #turnedAway(window: CallWindow, now: number): void {
    this.#sharedUntil = now + sharedForMs;
    window.kept = false;
    window.leaving = false;
    window.turnedAway += 1;
    window.askAgainAt = now + Math.min(200, 2 ** window.turnedAway);
    if (window.turnedAway < mostAsks) return;
    window.turnedAway = 0;
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
    for (const window of kept) window.leaving = true;
    for (let i = 0; i < kept.length; i += mostEntries) {
      const entries = kept.slice(i, i + mostEntries).map((window) => this.#entryOf(window, now));
      // Should it fail, the session's end lets go of them, with what was told last.
      await this.#options.ledger.settle(entries).catch(() => undefined);
    }
  }
}

function keyOf({ tenantId, credentialId }: Counted): string {
  return `${tenantId}\n${credentialId}`;
}
