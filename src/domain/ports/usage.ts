// The port of usage: what ended tasks cost by day, and how the queue stood. Rows of one tenant.

export const usageDimensions = [
  'day',
  'model',
  'agent',
  'agent_type',
  'codebase',
  'created_by',
  'worker',
  'ralph_run',
] as const;
export type UsageDimension = (typeof usageDimensions)[number];

/** The tasks of one key that ended in the days asked for. */
export interface UsageGroup {
  /** A day (`2026-01-31`, UTC), an id or a name; null: the tasks have none. */
  readonly key: string | null;
  /** The name behind an id; null where there is none (any more). */
  readonly name: string | null;
  readonly tasks: number;
  readonly completed: number;
  readonly failed: number;
  /** Tasks that retry another. */
  readonly retried: number;
  /** Completed by their first attempt. */
  readonly firstAttempt: number;
  /** From the first claim to the end, within 2.5 %; null: none was claimed. */
  readonly medianSeconds: number | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  /** Null: no task has a price. */
  readonly costUsd: number | null;
  readonly unpricedTasks: number;
}

/** First and last day, both included, as `2026-01-31`. */
export interface DayRange {
  readonly first: string;
  readonly last: string;
}

/** Percentiles in seconds; null: no task counts. */
export interface Percentiles {
  readonly p50: number | null;
  readonly p95: number | null;
}

/** The queue during one step. */
export interface HistoryPoint {
  /** When the step begins. */
  readonly at: string;
  /** The most of the samples; 0 without one. */
  readonly queued: number;
  readonly running: number;
  readonly ended: { readonly completed: number; readonly failed: number; readonly cancelled: number };
  /** How long the tasks that ended waited until their first claim. */
  readonly wait: Percentiles;
  /** From their first claim to their end. */
  readonly run: Percentiles;
}

/** Times in ISO 8601; `stepSeconds` divides the time from `from` on into steps. */
export interface HistoryRange {
  readonly from: string;
  readonly to: string;
  readonly stepSeconds: number;
}

export interface UsageRows {
  /** Folds what ended since the last fold, reading at most `limit` events of the log. @returns how many it read */
  fold(limit: number): Promise<number>;
  /** Records how many tasks wait and run now; nothing where there are none. */
  sample(): Promise<void>;
  /** By key; those with the highest cost, then the most tasks, at most `limit`. Includes what is not folded yet. */
  groups(dimension: UsageDimension, days: DayRange, limit: number): Promise<UsageGroup[]>;
  /** Steps in which something was sampled or ended, in order; the newest includes the present. */
  history(range: HistoryRange): Promise<HistoryPoint[]>;
  dropOldDays(olderThanDays: number): Promise<number>;
  dropOldHistory(olderThanDays: number): Promise<number>;
}
