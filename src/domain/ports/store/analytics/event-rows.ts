// The port of the rows of events, their deduplication keys, and the users that visitors were identified as.
import type { AnalyticsEvent } from '../../../model/analytics/event.ts';

export interface MessageClaim {
  readonly messageId: string;
  readonly eventId: string;
}

/** A visitor was identified at a time. */
export interface VisitorLink {
  readonly anonymousId: string;
  /** ISO 8601. */
  readonly at: string;
}

export interface AnalyticsEventRows {
  /**
   * Keeps message ids that were not seen in the last 48 hours. Waits for another transaction that keeps the same ones.
   * @param claims each message id once
   * @returns the event of each message id: the claimed one, or that of the first call
   */
  claimMessages(claims: readonly MessageClaim[]): Promise<ReadonlyMap<string, string>>;
  insert(events: readonly AnalyticsEvent[]): Promise<void>;
  /**
   * Enters inserted identifications into the identity map. Waits for other transactions that identify the same visitors.
   */
  linkVisitors(links: readonly VisitorLink[]): Promise<void>;
  /** Deletes message ids of more than 48 hours ago. @returns how many */
  dropOldMessages(limit: number): Promise<number>;
}
