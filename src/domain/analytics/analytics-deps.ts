// Dependencies of the verbs of analytics.
import type { ChannelHosts } from '../attribution/channels/classify-touch.ts';
import type { EventKind } from '../model/analytics/event.ts';
import type { Store } from '../ports/store/store.ts';

export type EventOutcome = 'stored' | 'duplicate' | 'refused';

export interface AnalyticsMetrics {
  eventReceived(kind: EventKind, outcome: EventOutcome): void;
}

export interface AnalyticsDeps {
  readonly store: Store;
  /** UUIDv7: the partition of an event follows from its id. */
  readonly makeId: () => string;
  /** Milliseconds since 1970, by the clock of the database. */
  readonly now: () => number;
  readonly channelHosts: ChannelHosts;
  /** How long events are kept, and how late they may be sent. */
  readonly retentionDays: number;
  readonly metrics: AnalyticsMetrics;
}

export const dayMs = 86_400_000;
export const hourMs = 3_600_000;
