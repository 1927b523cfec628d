// A bell for one loop: many ring it, one waits; a ring that nobody waited for is heard by the next wait.
import type { Clock } from './clock.ts';

export interface Bell {
  ring(): void;
  /** Resolves at the next ring (or the one since the last wait), after `timeoutMs`, or when `signal` aborts. */
  heard(signal: AbortSignal, timeoutMs?: number): Promise<void>;
}

export function createBell(clock: Clock): Bell {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      rung = true;
      wake?.();
    },
    async heard(signal, timeoutMs) {
      if (!rung && !signal.aborted) {
        const ended = new AbortController();
        const rang = new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener('abort', () => resolve(), { once: true, signal: ended.signal });
        });
        const timer = timeoutMs === undefined ? [] : [clock.wait(timeoutMs, ended.signal)];
        await Promise.race([rang, ...timer]);
        wake = undefined;
        ended.abort();
        await Promise.all(timer);
      }
      rung = false;
    },
  };
}
