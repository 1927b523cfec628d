// Medians and percentiles.

/** The median, the lower of two for an even number; NaN for no values. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that this share of `values` does not exceed; NaN of none. @param share 0–1 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** The median of quotients per round, so that a slow phase of the machine affects both sides. */
export function medianRatio(above: readonly number[], below: readonly number[]): number {
  return median(above.map((value, i) => value / (below[i] ?? Number.NaN)));
}
