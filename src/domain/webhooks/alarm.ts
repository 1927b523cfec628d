// One alarm for many times: rings at each of them.

/** Times further off than this are rounded up to it, so that there are never many. */
const grainMs = 100;

export class Alarm {
  readonly #now: () => number;
  readonly #ring: () => void;
  readonly #times = new Set<number>();
  #armed: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined;
  #isOff = false;

  constructor(now: () => number, ring: () => void) {
    this.#now = now;
    this.#ring = ring;
  }

  /** Rings in so many milliseconds, and before that at whatever else is set. It keeps no process alive. */
  in(ms: number): void {
    const at = this.#now() + ms;
    this.#times.add(ms <= grainMs ? at : Math.ceil(at / grainMs) * grainMs);
    this.#arm();
  }

  /** Rings in no more than so many milliseconds: at a time that is set anyway, if one is near enough. */
  within(ms: number): void {
    if (this.#armed === undefined || this.#armed.at > this.#now() + ms) this.in(ms);
  }

  /** For good. */
  off(): void {
    this.#isOff = true;
    clearTimeout(this.#armed?.timer);
  }

  #arm(): void {
    const at = Math.min(...this.#times);
    if (this.#isOff || this.#times.size === 0 || (this.#armed !== undefined && this.#armed.at <= at)) return;
    clearTimeout(this.#armed?.timer);
    const timer = setTimeout(
      () => {
        this.#armed = undefined;
        // This one too, should the timer be early or the clock set back.
        this.#times.delete(at);
        const now = this.#now();
        for (const time of this.#times) if (time <= now) this.#times.delete(time);
        this.#arm();
        this.#ring();
      },
      Math.max(0, at - this.#now()),
    );
    timer.unref();
    this.#armed = { timer, at };
  }
}
