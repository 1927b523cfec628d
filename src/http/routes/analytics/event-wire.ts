// Events from their wire shapes to the domain's.
import type { z } from 'zod';
import type { batchItem, identifyEvent, pageEvent, trackEvent } from '../../../contracts/analytics/event.ts';
import { identifyName, pageViewName, type EventDraft } from '../../../domain/model/analytics/event.ts';

type Track = z.output<typeof trackEvent>;
type Page = z.output<typeof pageEvent>;
type Identify = z.output<typeof identifyEvent>;

export function trackFromWire(body: Track): EventDraft {
  return { ...visitFromWire(body), kind: 'track', event: body.event, properties: body.properties ?? {} };
}

export function pageFromWire(body: Page): EventDraft {
  const name = body.name === undefined ? {} : { name: body.name };
  return { ...visitFromWire(body), kind: 'page', event: pageViewName, properties: { ...body.properties, ...name } };
}

export function identifyFromWire(body: Identify): EventDraft {
  return { ...visitFromWire(body), kind: 'identify', event: identifyName, properties: body.traits ?? {} };
}

export function batchItemFromWire(item: z.output<typeof batchItem>): EventDraft {
  if (item.type === 'track') return trackFromWire(item);
  return item.type === 'page' ? pageFromWire(item) : identifyFromWire(item);
}

function visitFromWire(
  body: Partial<Omit<Track, 'event' | 'properties'>>,
): Omit<EventDraft, 'kind' | 'event' | 'properties'> {
  const { click_id: clickId, ...campaign } = body.campaign ?? {};
  return {
    anonymousId: body.anonymous_id ?? null,
    userId: body.user_id ?? null,
    sessionId: body.session_id ?? null,
    messageId: body.message_id ?? null,
    timestamp: body.timestamp ?? null,
    page: body.page ?? null,
    campaign: body.campaign === undefined ? null : { ...campaign, clickId },
    value: body.value ?? null,
    currency: body.currency ?? null,
  };
}
