// A clock that a test moves by hand: what waits on it wakes in the order of its deadlines.
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../../src/worker/base/clock.ts';

export interface ManualClock extends Clock {
  /** Moves time on, and lets everything run that it wakes. */
  advance(ms: number): Promise<void>;
}

interface Waiter {
  atMs: number;
  wake: () => void;
}

/** Lets everything run that can run without time moving. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 5; i += 1) await setImmediate();
}

export function manualClock(): ManualClock {
  let nowMs = 0;
  let waiters: Waiter[] = [];
  return {
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    async wait(ms, signal) {
      if (signal?.aborted === true) return;
      await new Promise<void>((wake) => {
        waiters.push({ atMs: nowMs + ms, wake });
        signal?.addEventListener('abort', () => wake(), { once: true });
      });
    },
    async advance(ms) {
      await settle();
      const untilMs = nowMs + ms;
      for (;;) {
        const [next] = waiters.filter(({ atMs }) => atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs);
        if (next === undefined) break;
        waiters = waiters.filter((waiter) => waiter !== next);
        nowMs = Math.max(nowMs, next.atMs);
        next.wake();
        await settle();
      }
      nowMs = untilMs;
    },
  };
}
