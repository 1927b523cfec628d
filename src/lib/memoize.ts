// Caches the results of a pure function for its most recent keys.

/** Results for longer keys are not cached, so that the cache is bounded in bytes too. */
const maxKeyLength = 2048;

/**
 * @param maxEntries number of cached keys; the oldest is evicted first
 * @param compute must return the same result for the same key
 */
export function memoize<T>(maxEntries: number, compute: (key: string) => T): (key: string) => T {
  const known = new Map<string, { readonly value: T }>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found.value;
    const value = compute(key);
    if (key.length > maxKeyLength) return value;
    const [oldest] = known.size < maxEntries ? [] : known.keys();
    if (oldest !== undefined) known.delete(oldest);
    known.set(key, { value });
    return value;
  };
}
