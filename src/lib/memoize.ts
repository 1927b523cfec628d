// Remembers what a pure function answered for the keys that it was asked last.

/** Longer keys are asked anew: the memory is bounded by bytes too. */
const maxKeyLength = 2048;

/**
 * @param maxEntries keys that are remembered; the oldest goes first
 * @param compute always the same for the same key
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
