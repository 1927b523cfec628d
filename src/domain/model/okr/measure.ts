// The noun measure: how the progress of a key result is found; and the progress of an objective. Pure. platform-4.

export type Measure =
  /** A person or an agent reports the progress. */
  | { readonly kind: 'manual' }
  /** The progress is computed from a number on its way from `start` to `target`, upwards or downwards. */
  | { readonly kind: 'number'; readonly start: number; readonly target: number; readonly unit?: string | undefined }
  /** Reached or not. */
  | { readonly kind: 'milestone' }
  /** The share of the tasks of its runs that completed. */
  | { readonly kind: 'tasks' };

/** Two decimals. What is short of 100 is never rounded up to it: 100 means completed. */
export function roundProgress(progress: number): number {
  const bounded = Math.min(100, Math.max(0, progress));
  const rounded = Math.round(bounded * 100) / 100;
  return bounded < 100 ? Math.min(rounded, 99.99) : rounded;
}

export function progressOfNumber(
  { start, target }: Extract<Measure, { kind: 'number' }>,
  current: number | null,
): number {
  if (current === null) return 0;
  if (start === target) return current === target ? 100 : 0;
  return roundProgress((100 * (current - start)) / (target - start));
}

/** The share of the ended tasks that completed. */
export function progressOfTasks({ ended, completed }: { readonly ended: number; readonly completed: number }): number {
  return ended === 0 ? 0 : roundProgress((100 * completed) / ended);
}

/** The weighted mean of its key results; 0 without any, or when no one has a weight. */
export function progressOfObjective(
  keyResults: readonly { readonly weight: number; readonly progress: number }[],
): number {
  const weights = keyResults.reduce((sum, { weight }) => sum + weight, 0);
  if (weights === 0) return 0;
  // Written so that key results which are all at 100 give exactly 100.
  const missing = keyResults.reduce((sum, { weight, progress }) => sum + weight * (100 - progress), 0);
  return roundProgress(100 - missing / weights);
}
