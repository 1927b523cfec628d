// The verb that records events: one, or many at once. platform-5.2.
import type { EventDraft } from '../../model/analytics/event.ts';
import type { Caller } from '../../model/access/caller.ts';
import { DomainError } from '../../model/errors.ts';
import type { AnalyticsDeps } from '../analytics-deps.ts';
import { prepareEvent } from './prepare-event.ts';
import { storeEvents } from './store-events.ts';

export interface RecordedEvent {
  readonly eventId: string;
  /** True: a call with this message id was recorded before, and its event is the one named. */
  readonly isDuplicate: boolean;
}

/** Records events in one transaction. @returns a verdict for each, in order: a refused one does not stop the others */
export async function recordEvents(
  deps: AnalyticsDeps,
  caller: Caller,
  drafts: readonly EventDraft[],
): Promise<(RecordedEvent | DomainError)[]> {
  const prepared = drafts.map((draft) => prepareEvent(deps, draft));
  const events = prepared.filter((each) => !(each instanceof DomainError));
  const ids = events.length === 0 ? [] : await deps.store.within(caller, (rows) => storeEvents(rows, events));
  const recorded = new Map(events.map(({ eventId }, i) => [eventId, ids[i] ?? eventId]));
  return prepared.map((each, i) => {
    const kind = drafts[i]?.kind ?? 'track';
    if (each instanceof DomainError) {
      deps.metrics.eventReceived(kind, 'refused');
      return each;
    }
    const eventId = recorded.get(each.eventId) ?? each.eventId;
    const isDuplicate = eventId !== each.eventId;
    deps.metrics.eventReceived(each.kind, isDuplicate ? 'duplicate' : 'stored');
    return { eventId, isDuplicate };
  });
}

/** @throws DomainError invalid, `too_old`; unavailable */
export async function recordEvent(deps: AnalyticsDeps, caller: Caller, draft: EventDraft): Promise<RecordedEvent> {
  const [verdict] = await recordEvents(deps, caller, [draft]);
  if (verdict === undefined) throw new Error('an event has no verdict');
  if (verdict instanceof DomainError) throw verdict;
  return verdict;
}
