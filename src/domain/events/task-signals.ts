// Notifies the followers of a task, of a run, or of a whole tenant, when a log may have grown.
import { nextNotification, type Waiter } from '../../lib/wait.ts';
import type { Wake, WakeBus } from '../ports/wake.ts';

/** Created before a follower reads the log, so that it misses no growth between reading and waiting. */
export interface TaskSubscription extends Disposable {
  /** Resolves when the log may have grown since the last call, or when the signal aborts, or after `timeoutMs`. */
  changed(timeoutMs: number, signal: AbortSignal): Promise<void>;
}

interface Subscriber extends Waiter {
  /** A notification arrived while nothing waited. */
  isNotified: boolean;
}

/** Kinds of hints after which followers of a whole tenant have something to read. */
const tenantKinds: ReadonlySet<Wake['kind']> = new Set(['task', 'pending', 'run', 'workers', 'attention'] as const);

export class TaskSignals {
  readonly #subscribers = new Map<string, Set<Subscriber>>();

  constructor(wake: WakeBus) {
    wake.listen((hint) => {
      if (hint.kind === 'task') this.#notify(topicOf(hint.tenantId, hint.taskId));
      if (hint.kind === 'run') this.#notify(topicOf(hint.tenantId, hint.runId));
      if (tenantKinds.has(hint.kind)) this.#notify(topicOf(hint.tenantId));
    });
  }

  /** Notifies every subscriber: hints may have been missed. */
  notifyAll(): void {
    for (const key of this.#subscribers.keys()) this.#notify(key);
  }

  /** @param logId the task or run; absent: everything that followers of the tenant receive */
  subscribe(tenantId: string, logId?: string): TaskSubscription {
    const key = topicOf(tenantId, logId);
    const subscriber: Subscriber = { isNotified: false, notify: undefined };
    const subscribers = this.#subscribers.get(key) ?? new Set();
    this.#subscribers.set(key, subscribers.add(subscriber));
    return {
      changed: (timeoutMs, signal) => waitForNotification(subscriber, timeoutMs, signal),
      [Symbol.dispose]: () => {
        subscribers.delete(subscriber);
        if (subscribers.size === 0) this.#subscribers.delete(key);
      },
    };
  }

  #notify(key: string): void {
    for (const subscriber of this.#subscribers.get(key) ?? []) {
      if (subscriber.notify === undefined) subscriber.isNotified = true;
      else subscriber.notify();
    }
  }
}

function topicOf(tenantId: string, logId = ''): string {
  return `${tenantId}/${logId}`;
}

function waitForNotification(subscriber: Subscriber, timeoutMs: number, signal: AbortSignal): Promise<void> {
  if (!subscriber.isNotified) return nextNotification(subscriber, signal, timeoutMs);
  subscriber.isNotified = false;
  return Promise.resolve();
}
