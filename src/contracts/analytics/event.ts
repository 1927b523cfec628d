// Wire shapes of events of analytics: what visitors and users do. platform-5.2.
import { z } from 'zod';
import { givenTime, id, metadata } from '../common.ts';

const personId = z.string().min(1).max(200);
const address = z.string().max(4_096);
const text = z.string().max(500);
/** Ten-thousandths of more could not be counted exactly by a number of JavaScript. */
const maxValue = 1e11;

const page = z.strictObject({
  url: address.optional(),
  path: address.optional(),
  title: text.optional(),
  /** The address of the page where the person was before. */
  referrer: address.optional(),
});

const campaign = z.strictObject({
  /** As `utm_source`, and so on. */
  source: text.optional(),
  medium: text.optional(),
  name: text.optional(),
  term: text.optional(),
  content: text.optional(),
  /** The id that an advertising network puts into its links, such as `gclid`. */
  click_id: text.optional(),
});

/** The fields of every event. */
const common = {
  /** The visitor, before anybody knows who it is. */
  anonymous_id: personId.optional(),
  /** One of the two is required. */
  user_id: personId.optional(),
  /** Names this call: a repeated one within 48 hours stores nothing and gets the first answer. */
  message_id: z.string().min(1).max(100).optional(),
  /** Now unless given; a time more than an hour ahead counts as now. */
  timestamp: givenTime.optional(),
};
const visit = {
  session_id: personId.optional(),
  page: page.optional(),
  campaign: campaign.optional(),
  /** At most 16 KiB as JSON. */
  properties: metadata.optional(),
  /** The worth of a track event in the major unit of the currency: it makes the event a conversion. */
  value: z.number().min(-maxValue).max(maxValue).optional(),
  /** A code of ISO 4217; needs a value. */
  currency: z.string().length(3).optional(),
};

export const trackEvent = z.strictObject({ event: z.string().min(1).max(200), ...common, ...visit });
/** Stored as the event `page_view`; the name is among its properties. */
export const pageEvent = z.strictObject({ name: z.string().min(1).max(500).optional(), ...common, ...visit });
/** From its time on the visitor is that user, and before it too unless it was another one. */
export const identifyEvent = z.strictObject({ ...common, user_id: personId, traits: metadata.optional() });

export const batchItem = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('track'), ...trackEvent.shape }),
  z.strictObject({ type: z.literal('page'), ...pageEvent.shape }),
  z.strictObject({ type: z.literal('identify'), ...identifyEvent.shape }),
]);

export const eventBatch = z.strictObject({
  /** Each is judged by itself: `{type: track | page | identify, …}` with the fields of that call. */
  batch: z.array(z.unknown()).min(1).max(500),
});

export const recordedEvent = z.object({
  event_id: id,
  /** True: the event of the first call with this message id. */
  duplicate: z.boolean(),
});
export const identified = z.object({
  event_id: id,
  user_id: z.string(),
  anonymous_id: z.string().nullable(),
  /** Whether the call names a visitor, who is this user now. */
  linked: z.boolean(),
  duplicate: z.boolean(),
});
const refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
export const batchAnswer = z.object({ results: z.array(z.union([recordedEvent, refusal])) });
