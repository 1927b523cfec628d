// Stores events in a transaction: the only place that does. A repeated message id stores nothing.
import type { AnalyticsEvent } from '../../model/analytics/event.ts';
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
  const links = fresh.flatMap(({ kind, anonymousId, at }) =>
    kind === 'identify' && anonymousId !== null ? [{ anonymousId, at }] : [],
  );
  if (links.length > 0) await rows.analyticsEvents.linkVisitors(links);
  return ids;
}
