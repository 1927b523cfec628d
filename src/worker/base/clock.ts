// Time as the worker sees it: the wall clock, a monotonic clock for deadlines, and waiting that a signal can end.
import { setTimeout as delay } from 'node:timers/promises';

export interface Clock {
  /** Wall-clock time, for what people read. */
  now(): Date;
  /** Milliseconds that never run backwards, for deadlines. */
  monotonicMs(): number;
  /** Resolves after `ms`, or at once when `signal` aborts; never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's own clock. Its waits hold the process open: whoever waits has a signal that ends it. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  async wait(ms, signal) {
    try {
      await delay(Math.max(0, ms), undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      // The one way this timer rejects is its signal, and that is a normal end of the wait.
      if (!(error instanceof Error && error.name === 'AbortError')) throw error;
    }
  },
};
