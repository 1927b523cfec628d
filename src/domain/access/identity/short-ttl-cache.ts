// Caches a credential lookup for less than a second: a revoked credential may stay valid that long, and no longer.

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
  /** Milliseconds that the answer may be used, from the start of the lookup. */
  readonly ttlMs: number;
}

/** How long an answer is used, from the start of its lookup. Half of the second within which a revocation must work. */
const maxTtlMs = 500;
const maxEntries = 10_000;

/** Answers by key. A miss is not cached; concurrent lookups of one key share one query. */
export class ShortTtlCache<T> {
  readonly #entries = new Map<string, CacheEntry<T>>();
  readonly #pending = new Map<string, PendingLookup<T>>();
  readonly #elapsedMs: () => number;

  /** @param elapsedMs a monotonic clock */
  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  /** The cached answer of a key, or a new lookup. @throws what `find` throws, to all that wait for it */
  async get(key: string, find: () => Promise<LookupResult<T> | undefined>): Promise<T | undefined> {
    const now = this.#elapsedMs();
    const entry = this.#entries.get(key);
    if (entry !== undefined && now < entry.until) return entry.value;
    this.#entries.delete(key);
    const pending = this.#pending.get(key);
    // A lookup that hangs is not shared for longer: its answer would be too old for later callers.
    const shared =
      pending !== undefined && now - pending.since < maxTtlMs ? pending : this.#startLookup(key, now, find);
    return (await shared.result)?.value;
  }

  /** Drops every answer, including those of lookups under way. */
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
