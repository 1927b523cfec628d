// The address of the costs: the days, the grouping of the table, and the measure of the chart.
import { dayOf, oneOf, type RawSearch } from '../../search.ts';

export const groupings = [
  'model',
  'agent',
  'agent_type',
  'codebase',
  'created_by',
  'worker',
  'ralph_run',
  'day',
] as const;
export type Grouping = (typeof groupings)[number];
export const measures = ['cost', 'tokens', 'tasks'] as const;
export type Measure = (typeof measures)[number];

export interface CostsSearch {
  /** First and last day in UTC, as `2026-01-31`. Default: the last 30 days. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Default: model. */
  readonly by?: Grouping | undefined;
  /** Default: cost. */
  readonly measure?: Measure | undefined;
}

export function costsSearch(raw: RawSearch): CostsSearch {
  return {
    from: dayOf(raw['from']),
    to: dayOf(raw['to']),
    by: oneOf(raw['by'], groupings),
    measure: oneOf(raw['measure'], measures),
  };
}
