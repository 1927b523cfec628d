// Wakes one waiting loop from many places. A notification without a waiter ends the next wait at once.
import { nextNotification, type Waiter } from '../../lib/wait.ts';
import type { Clock } from './clock.ts';

export class Notifier {
  readonly #clock: Clock;
  readonly #waiter: Waiter = { notify: undefined };
  #notified = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  notify(): void {
    this.#notified = true;
    this.#waiter.notify?.();
  }

  /** Resolves at the next notification (or one since the last wait), after `timeoutMs`, or when `signal` aborts. */
  async wait(signal: AbortSignal, timeoutMs?: number): Promise<void> {
    if (!this.#notified && !signal.aborted) {
      const ended = new AbortController();
      const notification = nextNotification(this.#waiter, signal);
      const timeout =
        timeoutMs === undefined
          ? undefined
          : this.#clock.wait(timeoutMs, ended.signal).then(() => this.#waiter.notify?.());
      await notification;
      ended.abort();
      await timeout;
    }
    this.#notified = false;
  }
}
