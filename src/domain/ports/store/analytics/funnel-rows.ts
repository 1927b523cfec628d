// The port of funnels: those that a tenant has written, and the count of people along one.
import type { Funnel, FunnelCounts, FunnelSettings } from '../../../model/analytics/funnel.ts';

/** People who take the first step within [from, to). */
export interface FunnelQuestion extends Pick<FunnelSettings, 'steps' | 'windowHours'> {
  /** ISO 8601. */
  readonly from: string;
  readonly to: string;
}

export interface FunnelRows {
  /** By id, those that the tenant has written. */
  list(): Promise<Funnel[]>;
  find(funnelId: string): Promise<Funnel | undefined>;
  /** Writes a funnel or replaces it. */
  put(funnelId: string, settings: FunnelSettings, by: string): Promise<Funnel>;
  /** @returns false: the tenant has written no such funnel */
  delete(funnelId: string): Promise<boolean>;
  measure(question: FunnelQuestion): Promise<FunnelCounts>;
}
