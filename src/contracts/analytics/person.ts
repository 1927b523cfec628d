// Wire shapes of one person: its touches, and what its conversions are credited to. platform-5.2.
import { z } from 'zod';
import { id, pageQuery, timestamp } from '../common.ts';

export const personParams = z.object({ user_id: z.string().min(1).max(200) });

export const attributionQuery = z.strictObject({
  /** Touches from this long before a conversion to the conversion itself are credited. */
  lookback_days: z.int().min(1).max(365).default(30),
  /** Most touches and conversions; the newest are listed. */
  limit: pageQuery.limit,
});

const touch = z.object({
  event_id: id,
  at: timestamp,
  channel: z.string(),
  source: z.string().nullable(),
  medium: z.string().nullable(),
  campaign: z.string().nullable(),
  referrer: z.string().nullable(),
});
export type TouchWire = z.infer<typeof touch>;

const credits = z.array(
  z.object({
    event_id: id,
    channel: z.string(),
    /** A fraction; those of one model sum to 1. */
    credit: z.number(),
    /** In the major unit of the currency; those of one model sum to the value of the conversion. */
    value: z.number().nullable(),
  }),
);

export const attribution = z.object({
  user_id: z.string(),
  /** Visitors that were identified as this user. */
  anonymous_ids: z.array(z.string()),
  /** In time order, the newest of them. */
  touches: z.array(touch),
  first_touch: touch.nullable(),
  last_touch: touch.nullable(),
  conversions: z.array(
    z.object({
      event_id: id,
      event: z.string(),
      at: timestamp,
      value: z.number().nullable(),
      currency: z.string().nullable(),
      first_touch: touch.nullable(),
      last_touch: touch.nullable(),
      last_non_direct: touch.nullable(),
      credits: z.object({ linear: credits, position: credits, time_decay: credits }),
    }),
  ),
  /** True: the person has more touches or conversions than are listed or credited. */
  partial: z.boolean(),
});
export type AttributionWire = z.infer<typeof attribution>;

export const erasedPerson = z.object({
  user_id: z.string(),
  /** How many were deleted: events, and links to visitors. */
  events: z.int(),
  links: z.int(),
});
