// One timer for many deadlines: it fires at each of them.

/** Deadlines further away than this are rounded up to a multiple of it, which bounds how many are kept. */
const granularityMs = 100;

export class DebouncedTimer {
  readonly #now: () => number;
  readonly #onFire: () => void;
  readonly #times = new Set<number>();
  #armed: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined;
  #isStopped = false;

  constructor(now: () => number, onFire: () => void) {
    this.#now = now;
    this.#onFire = onFire;
  }

  /** Fires in `ms` milliseconds, in addition to the deadlines set before. Does not keep the process alive. */
  scheduleIn(ms: number): void {
    const at = this.#now() + ms;
    this.#times.add(ms <= granularityMs ? at : Math.ceil(at / granularityMs) * granularityMs);
    this.#arm();
  }

  /** Fires within `ms` milliseconds: at a deadline that is already set, if one is near enough. */
  scheduleWithin(ms: number): void {
    if (this.#armed === undefined || this.#armed.at > this.#now() + ms) this.scheduleIn(ms);
  }

  /** Stops the timer permanently. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#armed?.timer);
  }

  #arm(): void {
    const at = Math.min(...this.#times);
    if (this.#isStopped || this.#times.size === 0 || (this.#armed !== undefined && this.#armed.at <= at)) return;
    clearTimeout(this.#armed?.timer);
    const timer = setTimeout(
      () => {
        this.#armed = undefined;
        // Delete this deadline explicitly: the timer may fire early, or the clock may have been set back.
        this.#times.delete(at);
        const now = this.#now();
        for (const time of this.#times) if (time <= now) this.#times.delete(time);
        this.#arm();
        this.#onFire();
      },
      Math.max(0, at - this.#now()),
    );
    timer.unref();
    this.#armed = { timer, at };
  }
}
