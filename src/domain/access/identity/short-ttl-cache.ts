// Remembers an answer for less than a second: so long a revoked credential may still be taken, and no longer.

interface CacheEntry<T> {
  readonly value: T;
  readonly until: number;
}

interface PendingLookup<T> {
  readonly since: number;
  readonly result: Promise<LookupResult<T> | undefined>;
}

export interface LookupResult<T> {
  readonly value: T;
  /** Milliseconds from the question on that it holds at most. */
  readonly ttlMs: number;
}

/** How long an answer is used, from the moment it was asked for. Half of the second that a revocation may take. */
const maxTtlMs = 500;
const maxEntries = 10_000;

/** Answers by key. What was not found is not remembered; who asks the same meanwhile waits for the same answer. */
export class ShortTtlCache<T> {
  readonly #entries = new Map<string, CacheEntry<T>>();
  readonly #pending = new Map<string, PendingLookup<T>>();
  readonly #elapsedMs: () => number;

  /** @param elapsedMs a clock that is never set back */
  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  /** What is remembered of a key, or else found now. @throws what `find` throws, to all who wait for it */
  async get(key: string, find: () => Promise<LookupResult<T> | undefined>): Promise<T | undefined> {
    const now = this.#elapsedMs();
    const entry = this.#entries.get(key);
    if (entry !== undefined && now < entry.until) return entry.value;
    this.#entries.delete(key);
    const pending = this.#pending.get(key);
    // A question that hangs is not waited for by more and more: its answer would be too old for them.
    const shared =
      pending !== undefined && now - pending.since < maxTtlMs ? pending : this.#startLookup(key, now, find);
    return (await shared.result)?.value;
  }

  /** After this nothing is answered that was asked for before. */
  clear(): void {
    this.#entries.clear();
    this.#pending.clear();
  }

  #startLookup(key: string, since: number, find: () => Promise<LookupResult<T> | undefined>): PendingLookup<T> {
    const lookup: PendingLookup<T> = {
      since,
      result: find()
        .then((found) => {
          if (found !== undefined && this.#pending.get(key) === lookup) this.#store(key, since, found);
          return found;
        })
        .finally(() => {
          if (this.#pending.get(key) === lookup) this.#pending.delete(key);
        }),
    };
    this.#pending.set(key, lookup);
    return lookup;
  }

  #store(key: string, since: number, { value, ttlMs }: LookupResult<T>): void {
    const [oldest] = this.#entries.keys();
    if (this.#entries.size >= maxEntries && oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(key, { value, until: since + Math.min(maxTtlMs, ttlMs) });
  }
}
