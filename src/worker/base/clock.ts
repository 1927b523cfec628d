// Time for the worker: the wall clock, a monotonic clock for deadlines, and waits that a signal can end.
import { setTimeout as delay } from 'node:timers/promises';

export interface Clock {
  /** Wall-clock time, for what people read. */
  now(): Date;
  /** Milliseconds that never run backwards, for deadlines. */
  monotonicMs(): number;
  /** Resolves after `ms`, or at once when `signal` aborts; never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's clock. Its waits keep the process alive: every caller passes a signal that ends it. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  async wait(ms, signal) {
    try {
      await delay(Math.max(0, ms), undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      // The timer rejects only when its signal aborts, which is a normal end of the wait.
      if (!(error instanceof Error && error.name === 'AbortError')) throw error;
    }
  },
};
