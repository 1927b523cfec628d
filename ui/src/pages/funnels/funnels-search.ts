// What the address of a funnel holds.
import { integerOf, type RawSearch } from '../../search.ts';

export interface FunnelSearch {
  /** Days in which people began. Default: 7. */
  readonly days?: number | undefined;
}

export const defaultDays = 7;
/** The choices of the page; the address takes every number of days. */
export const dayChoices = [7, 30, 90, 365] as const;

export function funnelSearch(raw: RawSearch): FunnelSearch {
  return { days: integerOf(raw['days'], 1, 365) };
}
