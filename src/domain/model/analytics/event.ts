// The noun event: a thing that a visitor or a user did, and when. platform-5.1.

export const eventKinds = ['track', 'page', 'identify'] as const;
export type EventKind = (typeof eventKinds)[number];

/** The page on which it happened. */
export interface EventPage {
  readonly url?: string | undefined;
  readonly path?: string | undefined;
  readonly title?: string | undefined;
  readonly referrer?: string | undefined;
}

/** The campaign link by which the person came. */
export interface EventCampaign {
  readonly source?: string | undefined;
  readonly medium?: string | undefined;
  readonly name?: string | undefined;
  readonly term?: string | undefined;
  readonly content?: string | undefined;
  readonly clickId?: string | undefined;
}

/** An event as a caller sends it. */
export interface EventDraft {
  readonly kind: EventKind;
  /** The name of a track event, else `page_view` or `identify`. */
  readonly event: string;
  /** The visitor, before anybody knows who it is. One of the two is there. */
  readonly anonymousId: string | null;
  readonly userId: string | null;
  readonly sessionId: string | null;
  /** Names the call, so that a repeated one is recognized. */
  readonly messageId: string | null;
  /** ISO 8601; null: now. */
  readonly timestamp: string | null;
  readonly page: EventPage | null;
  readonly campaign: EventCampaign | null;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly value: number | null;
  readonly currency: string | null;
}

/** An event as it is stored. */
export interface AnalyticsEvent extends Omit<EventDraft, 'timestamp'> {
  readonly eventId: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** Null: the event is no touch by itself. */
  readonly channel: string | null;
}

export const pageViewName = 'page_view';
export const identifyName = 'identify';
