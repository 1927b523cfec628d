// The one reader of a tenant's log in this process, and its subscribers.
import type { LogPosition } from '../model/task/log-position.ts';
import type { LogEntry, LogRequest } from '../ports/store/log.ts';
import type { Store } from '../ports/store/store.ts';
import type { TaskSignals } from './task-signals.ts';
import { nextNotification, sleep } from '../../lib/wait.ts';

export interface FeedOptions {
  readonly store: Store;
  readonly signals: TaskSignals;
  readonly log: (line: string, error?: unknown) => void;
  readonly tenantId: string;
  readonly request: LogRequest;
  readonly from: LogPosition;
  /** Called when the last subscriber has left, before any wait. */
  readonly onEmpty: () => void;
}

export interface Subscriber extends AsyncDisposable {
  /** Drops the queued entries, and queues later ones. */
  clear(): void;
  /** Yields the reader's entries until the signal aborts or the queue overflows; then the follower reads for itself. */
  events(signal: AbortSignal): AsyncGenerator<LogEntry, void, undefined>;
}

/** Queued entries of one subscriber. */
const maxQueued = 500;
/** Maximum time between polls of the log: hints may be lost. */
const pollMs = 5_000;
/** The wait while an older transaction still holds back written entries. */
const pendingPollMs = 50;
/** Hints within this time cause one poll. */
const debounceMs = 20;
const retryMs = 1_000;

interface SubscriberQueue {
  readonly waiting: LogEntry[];
  overflowed: boolean;
  notify: (() => void) | undefined;
}

export class TenantFeed implements AsyncDisposable {
  readonly #options: FeedOptions;
  readonly #queues = new Set<SubscriberQueue>();
  readonly #stop = new AbortController();
  readonly #reading: Promise<void>;
  #position: LogPosition;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#position = options.from;
    this.#reading = this.#read();
  }

  get followers(): number {
    return this.#queues.size;
  }

  subscribe(): Subscriber {
    const queue: SubscriberQueue = { waiting: [], overflowed: false, notify: undefined };
    this.#queues.add(queue);
    return {
      clear() {
        queue.waiting.length = 0;
        queue.overflowed = false;
      },
      events: (signal) => drainQueue(queue, signal),
      [Symbol.asyncDispose]: async () => {
        this.#queues.delete(queue);
        if (this.#queues.size === 0) await this[Symbol.asyncDispose]();
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#stop.signal.aborted) this.#options.onEmpty();
    this.#stop.abort();
    await this.#reading;
  }

  /** Reads new entries while there are subscribers. */
  async #read(): Promise<void> {
    const { signals, tenantId, log } = this.#options;
    const { signal } = this.#stop;
    using subscription = signals.subscribe(tenantId);
    while (!signal.aborted) {
      try {
        const waitMs = await this.#readOnce();
        await subscription.changed(waitMs, signal);
        await sleep(debounceMs, signal);
      } catch (error) {
        log('failed to read the log of a tenant for its followers; will retry', error);
        await sleep(retryMs, signal);
      }
    }
  }

  /** @returns milliseconds until the next poll without a hint */
  async #readOnce(): Promise<number> {
    const { store, tenantId, request } = this.#options;
    const page = await store.within({ tenantId }, (rows) => rows.log.after(this.#position, request));
    for (const entry of page.entries) for (const queue of this.#queues) enqueue(queue, entry);
    const isFull = page.entries.length === request.limit;
    this.#position = isFull ? (page.entries.at(-1)?.position ?? this.#position) : page.end;
    return isFull ? 0 : page.beyond ? pendingPollMs : pollMs;
  }
}

function enqueue(queue: SubscriberQueue, entry: LogEntry): void {
  if (queue.overflowed) return;
  if (queue.waiting.length >= maxQueued) {
    queue.waiting.length = 0;
    queue.overflowed = true;
  } else {
    queue.waiting.push(entry);
  }
  queue.notify?.();
}

async function* drainQueue(queue: SubscriberQueue, signal: AbortSignal): AsyncGenerator<LogEntry, void, undefined> {
  while (!signal.aborted && !queue.overflowed) {
    const entry = queue.waiting.shift();
    if (entry === undefined) await nextNotification(queue, signal);
    else yield entry;
  }
}
