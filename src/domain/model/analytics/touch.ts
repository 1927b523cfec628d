// The nouns touch and conversion: how a person came, and what the person then did that counts. platform-5.3.

export interface PersonTouch {
  readonly eventId: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly channel: string;
  readonly source: string | null;
  readonly medium: string | null;
  readonly campaign: string | null;
  readonly referrer: string | null;
}

export interface PersonConversion {
  readonly eventId: string;
  readonly event: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** A decimal number as text, so that none of its digits is lost; null: the conversion has no value. */
  readonly value: string | null;
  readonly currency: string | null;
}

/** The channel of a page view that begins a session without a campaign or another site. */
export const directChannel = 'direct';
