// Wakes one waiting loop from many places. A notification without a waiter ends the next wait at once.
import type { Clock } from './clock.ts';

export interface Notifier {
  notify(): void;
  /** Resolves at the next notification (or one since the last wait), after `timeoutMs`, or when `signal` aborts. */
  wait(signal: AbortSignal, timeoutMs?: number): Promise<void>;
}

export function createNotifier(clock: Clock): Notifier {
  let notified = false;
  let wake: (() => void) | undefined;
  return {
    notify() {
      notified = true;
      wake?.();
    },
    async wait(signal, timeoutMs) {
      if (!notified && !signal.aborted) {
        const ended = new AbortController();
        const notification = new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener('abort', () => resolve(), { once: true, signal: ended.signal });
        });
        const timer = timeoutMs === undefined ? [] : [clock.wait(timeoutMs, ended.signal)];
        await Promise.race([notification, ...timer]);
        wake = undefined;
        ended.abort();
        await Promise.all(timer);
      }
      notified = false;
    },
  };
}
