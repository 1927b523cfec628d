// Medians and percentiles.

/** The middle of these, the lower of the two middles for an even number; NaN of none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that this share of `values` does not exceed; NaN of none. @param share 0–1 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** The quotient of neighbours: round by round, so that what slows the machine for a while weighs on both. */
export function medianRatio(above: readonly number[], below: readonly number[]): number {
  return median(above.map((value, i) => value / (below[i] ?? Number.NaN)));
}
