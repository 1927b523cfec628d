// The states between two states of a run or a story, where one decision made several moves at once.

/**
 * The shortest way by single moves, without its two ends. Empty: one move leads there, or none does and the database
 * rejects it.
 */
export function statesBetween<S extends string>(from: S, to: S, movesFrom: (state: S) => readonly S[]): S[] {
  if (from === to) return [];
  const ways: S[][] = [[from]];
  const reached = new Set<S>([from]);
  for (const way of ways) {
    const last = way.at(-1);
    if (last === undefined) continue;
    for (const next of movesFrom(last)) {
      if (next === to) return way.slice(1);
      if (reached.has(next)) continue;
      reached.add(next);
      ways.push([...way, next]);
    }
  }
  return [];
}
