// Stretches of time, in milliseconds of one clock, and what is left of them without others.

export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** The parts of `whole` outside of `holes`. */
export function without(interval: Interval, holes: readonly Interval[]): Interval[] {
  const left: Interval[] = [];
  let { from } = interval;
  for (const hole of holes.toSorted((a, b) => a.from - b.from)) {
    if (hole.to <= from) continue;
    if (hole.from >= interval.to) break;
    if (hole.from > from) left.push({ from, to: hole.from });
    from = hole.to;
  }
  return from < interval.to ? [...left, { from, to: interval.to }] : left;
}

/** When at least `most` of `spans` go on at once. */
export function intervalsAtCapacity(spans: readonly Interval[], most: number): Interval[] {
  // At one moment, what ends goes before what begins: who ends one and begins the next never has both.
  const turns = spans
    .flatMap(({ from, to }) => [
      { at: from, by: 1 },
      { at: to, by: -1 },
    ])
    .toSorted((a, b) => a.at - b.at || a.by - b.by);
  const full: Interval[] = [];
  let [count, since] = [0, 0];
  for (const { at, by } of turns) {
    const before = count;
    count += by;
    if (before < most && count >= most) since = at;
    if (before >= most && count < most && at > since) full.push({ from: since, to: at });
  }
  return full;
}

/** The overlap of two spans, in milliseconds; 0 or less: none. */
export function overlap(a: Interval, b: Interval): number {
  return Math.min(a.to, b.to) - Math.max(a.from, b.from);
}
