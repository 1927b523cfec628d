// A page out of a list that was asked for one item more than the page holds.

/** @returns the page, and the id to go on after; null when this was the end */
export function cutPage<T>(
  found: readonly T[],
  limit: number,
  idOf: (item: T) => string,
): { items: readonly T[]; next: string | null } {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next: found.length > limit && last !== undefined ? idOf(last) : null };
}
