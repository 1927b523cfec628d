// Usage of ended tasks by group, its sums and shares, and the same as CSV.
import type { AnswerOf } from '../../api/answer-of.ts';
import { api, dataOf } from '../../api/api.ts';
import { serviceNow } from '../../api/clock.ts';
import { csvOf } from '../../text/csv.ts';
import type { CostsSearch, Grouping } from './costs-search.ts';

export type UsageRow = AnswerOf<'monitor.usage'>['usage'][number];

const dayMs = 86_400_000;
const defaultDays = 30;

export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** The days of the address; without them the last 30, today included. */
export function rangeOf({ from, to }: CostsSearch): DayRange {
  const last = to ?? isoDay(serviceNow());
  return { from: from ?? isoDay(Date.parse(last) - (defaultDays - 1) * dayMs), to: last };
}

/** The last so many days in UTC. */
export function lastDays(days: number): DayRange {
  const now = serviceNow();
  return { from: isoDay(now - (days - 1) * dayMs), to: isoDay(now) };
}

function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

export function usageQuery(
  range: DayRange,
  by: Grouping,
): { queryKey: readonly unknown[]; queryFn: () => Promise<readonly UsageRow[]> } {
  return {
    queryKey: ['usage', range.from, range.to, by],
    queryFn: async () =>
      (await dataOf(api().GET('/v1/monitor/usage', { params: { query: { ...range, group_by: by } } }))).usage,
  };
}

/** The sum of all rows. Its cost is null where no row has one. @param label what stands in its first column */
export function sumOf(rows: readonly UsageRow[], label: string): UsageRow {
  const sum = (of: (row: UsageRow) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const priced = rows.filter(({ cost_usd }) => cost_usd !== null);
  return {
    key: null,
    label,
    tasks: sum(({ tasks }) => tasks),
    completed: sum(({ completed }) => completed),
    failed: sum(({ failed }) => failed),
    retried: sum(({ retried }) => retried),
    first_attempt: sum(({ first_attempt }) => first_attempt),
    // The median of all is none of the medians.
    median_seconds: null,
    input_tokens: sum(({ input_tokens }) => input_tokens),
    output_tokens: sum(({ output_tokens }) => output_tokens),
    cached_tokens: sum(({ cached_tokens }) => cached_tokens),
    cost_usd: priced.length === 0 ? null : sum(({ cost_usd }) => cost_usd ?? 0),
    unpriced_tasks: sum(({ unpriced_tasks }) => unpriced_tasks),
  };
}

/** The part of the known cost; where nothing has a price, of the tokens. Null: there is nothing to share. */
export function shareOf(row: UsageRow, sum: UsageRow): number | null {
  if (sum.cost_usd !== null && sum.cost_usd > 0) return row.cost_usd === null ? null : row.cost_usd / sum.cost_usd;
  const tokens = tokensOf(sum);
  return tokens === 0 ? null : tokensOf(row) / tokens;
}

function tokensOf({ input_tokens, output_tokens, cached_tokens }: UsageRow): number {
  return input_tokens + output_tokens + cached_tokens;
}

/** Every day of the range, also those on which no task ended. */
export function everyDay(rows: readonly UsageRow[], { from, to }: DayRange): readonly UsageRow[] {
  const known = new Map(rows.map((row) => [row.key, row]));
  const days: UsageRow[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += dayMs) {
    const day = isoDay(at);
    days.push(known.get(day) ?? { ...sumOf([], day), key: day });
  }
  return days;
}

const csvColumns = [
  'key',
  'label',
  'tasks',
  'completed',
  'failed',
  'retried',
  'first_attempt',
  'median_seconds',
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'cost_usd',
  'unpriced_tasks',
] as const satisfies readonly (keyof UsageRow)[];

/** An unknown cost is an empty field. */
export function usageCsv(rows: readonly UsageRow[]): string {
  return csvOf(
    csvColumns,
    rows.map((row) => csvColumns.map((column) => row[column])),
  );
}
