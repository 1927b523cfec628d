// The one reader of a tenant's log in this process, and the seats of those who follow it.
import type { LogPosition } from '../model/task/log-position.ts';
import type { LogEntry, LogRequest } from '../ports/store/log.ts';
import type { Store } from '../ports/store/store.ts';
import type { TaskSignals } from './task-signals.ts';

export interface FeedOptions {
  readonly store: Store;
  readonly signals: TaskSignals;
  readonly log: (line: string, error?: unknown) => void;
  readonly tenantId: string;
  readonly request: LogRequest;
  readonly from: LogPosition;
  /** Called when the last follower has left, before anything is waited for. */
  readonly empty: () => void;
}

export interface Seat extends AsyncDisposable {
  /** Forgets what waits here, and keeps what comes from now on. */
  empty(): void;
  /** What the reader brings, until the signal aborts or more has come than a seat keeps: then the follower reads itself. */
  news(signal: AbortSignal): AsyncGenerator<LogEntry, void, undefined>;
}

/** Entries that wait for one follower. */
const seatSize = 500;
/** Hints may be lost; the log is looked at again after this long at the latest. */
const lookAgainMs = 5_000;
/** Something is written already that an older transaction still holds back. */
const lookSoonMs = 50;
/** Hints that come close together are one look. */
const restMs = 20;
const retryMs = 1_000;

interface Place {
  readonly waiting: LogEntry[];
  missed: boolean;
  ring: (() => void) | undefined;
}

export class TenantFeed implements AsyncDisposable {
  readonly #options: FeedOptions;
  readonly #places = new Set<Place>();
  readonly #stop = new AbortController();
  readonly #reading: Promise<void>;
  #at: LogPosition;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#at = options.from;
    this.#reading = this.#read();
  }

  get followers(): number {
    return this.#places.size;
  }

  sit(): Seat {
    const place: Place = { waiting: [], missed: false, ring: undefined };
    this.#places.add(place);
    return {
      empty() {
        place.waiting.length = 0;
        place.missed = false;
      },
      news: (signal) => newsOf(place, signal),
      [Symbol.asyncDispose]: async () => {
        this.#places.delete(place);
        if (this.#places.size === 0) await this[Symbol.asyncDispose]();
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#stop.signal.aborted) this.#options.empty();
    this.#stop.abort();
    await this.#reading;
  }

  /** Reads what is new as long as somebody follows. */
  async #read(): Promise<void> {
    const { signals, tenantId, log } = this.#options;
    const { signal } = this.#stop;
    using ear = signals.listen(tenantId);
    while (!signal.aborted) {
      try {
        const waitMs = await this.#readOnce();
        await ear.changed(waitMs, signal);
        await rest(restMs, signal);
      } catch (error) {
        log('the log of a tenant could not be read for its followers; trying again', error);
        await rest(retryMs, signal);
      }
    }
  }

  /** @returns milliseconds after which to look again, hint or not */
  async #readOnce(): Promise<number> {
    const { store, tenantId, request } = this.#options;
    const page = await store.within({ tenantId }, (rows) => rows.log.after(this.#at, request));
    for (const entry of page.entries) for (const place of this.#places) put(place, entry);
    const isFull = page.entries.length === request.limit;
    this.#at = isFull ? (page.entries.at(-1)?.position ?? this.#at) : page.end;
    return isFull ? 0 : page.beyond ? lookSoonMs : lookAgainMs;
  }
}

function put(place: Place, entry: LogEntry): void {
  if (place.missed) return;
  if (place.waiting.length >= seatSize) {
    place.waiting.length = 0;
    place.missed = true;
  } else {
    place.waiting.push(entry);
  }
  place.ring?.();
}

async function* newsOf(place: Place, signal: AbortSignal): AsyncGenerator<LogEntry, void, undefined> {
  while (!signal.aborted && !place.missed) {
    const entry = place.waiting.shift();
    if (entry === undefined) await rung(place, signal);
    else yield entry;
  }
}

function rung(place: Place, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    function done(): void {
      place.ring = undefined;
      signal.removeEventListener('abort', done);
      resolve();
    }
    place.ring = done;
    signal.addEventListener('abort', done, { once: true });
  });
}

function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
  });
}
