// One alarm for many times: rings at each of them.

/** Times further off than this are rounded up to it, so that there are never many. */
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

  /** Rings in so many milliseconds, and before that at whatever else is set. It keeps no process alive. */
  scheduleIn(ms: number): void {
    const at = this.#now() + ms;
    this.#times.add(ms <= granularityMs ? at : Math.ceil(at / granularityMs) * granularityMs);
    this.#arm();
  }

  /** Rings in no more than so many milliseconds: at a time that is set anyway, if one is near enough. */
  scheduleWithin(ms: number): void {
    if (this.#armed === undefined || this.#armed.at > this.#now() + ms) this.scheduleIn(ms);
  }

  /** For good. */
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
        // This one too, should the timer be early or the clock set back.
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
