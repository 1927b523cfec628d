// Stores events in a transaction: the only place that does. A repeated message id stores nothing.
import { identifyEvent, type AnalyticsEvent } from '../../model/analytics/event.ts';
import type { Rows } from '../../ports/store/store.ts';

/** @returns the id of the event that stands for each: its own, or that of the first call with its message id */
export async function storeEvents(rows: Rows, events: readonly AnalyticsEvent[]): Promise<string[]> {
  const firsts = new Map<string, string>();
  for (const { messageId, eventId } of events) {
    if (messageId !== null && !firsts.has(messageId)) firsts.set(messageId, eventId);
  }
  const claims = [...firsts].map(([messageId, eventId]) => ({ messageId, eventId }));
  const kept = claims.length === 0 ? new Map<string, string>() : await rows.analyticsEvents.claimMessages(claims);
  const ids = events.map(({ messageId, eventId }) => (messageId === null ? eventId : (kept.get(messageId) ?? eventId)));
  const fresh = events.filter(({ eventId }, i) => ids[i] === eventId);
  if (fresh.length > 0) await rows.analyticsEvents.insert(fresh);
  await identifyVisitors(rows, fresh);
  return ids;
}

async function identifyVisitors(rows: Rows, events: readonly AnalyticsEvent[]): Promise<void> {
  const links = events.flatMap(({ kind, event, anonymousId, userId, at }) =>
    kind === 'identify' && event === identifyEvent && anonymousId !== null && userId !== null
      ? [{ anonymousId, userId, at }]
      : [],
  );
  // In one order, so that two calls about the same visitors wait for each other instead of deadlocking.
  links.sort((a, b) => (a.anonymousId === b.anonymousId ? 0 : a.anonymousId < b.anonymousId ? -1 : 1));
  for (const { anonymousId, userId, at } of links) await rows.analyticsEvents.identify(anonymousId, userId, at);
}
