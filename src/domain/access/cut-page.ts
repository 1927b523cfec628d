// Cuts a page from a list that was read with one item more than the page holds.

/** @returns the page, and the id after which the next page begins; null at the end */
export function cutPage<T>(
  found: readonly T[],
  limit: number,
  idOf: (item: T) => string,
): { items: readonly T[]; next: string | null } {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next: found.length > limit && last !== undefined ? idOf(last) : null };
}
