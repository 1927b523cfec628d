// Operations that record events of analytics. platform-5.2.
import * as wire from '../../../contracts/analytics/event.ts';
import type { AnalyticsDeps } from '../../../domain/analytics/analytics-deps.ts';
import { recordEvent, recordEvents } from '../../../domain/analytics/events/record-events.ts';
import type { EventDraft } from '../../../domain/model/analytics/event.ts';
import { DomainError } from '../../../domain/model/errors.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';
import { SchemaCompiler } from '../../pipeline/schema.ts';
import { batchItemFromWire, identifyFromWire, pageFromWire, trackFromWire } from './event-wire.ts';

export function eventOperations(deps: AnalyticsDeps): Operation[] {
  const parseItem = new SchemaCompiler().large(wire.batchItem, '');
  const parse = (item: unknown): EventDraft | DomainError => {
    try {
      return batchItemFromWire(parseItem(item));
    } catch (error) {
      if (error instanceof DomainError) return error;
      throw error;
    }
  };
  return [
    operation({
      name: 'analytics.track',
      method: 'POST',
      path: '/v1/analytics/track',
      summary: 'Record an event of a visitor or user.',
      description: 'A repeated message_id within 48 hours stores nothing and is answered with the first event and 200.',
      permission: 'analytics:write',
      body: wire.trackEvent,
      answers: { 200: wire.recordedEvent, 201: wire.recordedEvent },
      run: async (caller, { body }) => {
        const { eventId, isDuplicate } = await recordEvent(deps, caller, trackFromWire(body));
        return { status: isDuplicate ? 200 : 201, body: { event_id: eventId, duplicate: isDuplicate } };
      },
    }),
    operation({
      name: 'analytics.page',
      method: 'POST',
      path: '/v1/analytics/page',
      summary: 'Record a page view of a visitor or user.',
      description: 'Stored as the event page_view. A repeated message_id is answered as by track.',
      permission: 'analytics:write',
      body: wire.pageEvent,
      answers: { 200: wire.recordedEvent, 201: wire.recordedEvent },
      run: async (caller, { body }) => {
        const { eventId, isDuplicate } = await recordEvent(deps, caller, pageFromWire(body));
        return { status: isDuplicate ? 200 : 201, body: { event_id: eventId, duplicate: isDuplicate } };
      },
    }),
    operation({
      name: 'analytics.identify',
      method: 'POST',
      path: '/v1/analytics/identify',
      summary: 'Identify a visitor as a user.',
      description:
        'From its time on, events of the visitor belong to the user; earlier ones too, unless the visitor was another user then.',
      permission: 'analytics:write',
      body: wire.identifyEvent,
      answers: { 200: wire.identified, 201: wire.identified },
      run: async (caller, { body }) => {
        const { eventId, isDuplicate } = await recordEvent(deps, caller, identifyFromWire(body));
        const { user_id, anonymous_id = null } = body;
        const linked = anonymous_id !== null;
        return {
          status: isDuplicate ? 200 : 201,
          body: { event_id: eventId, user_id, anonymous_id, linked, duplicate: isDuplicate },
        };
      },
    }),
    operation({
      name: 'analytics.batch',
      method: 'POST',
      path: '/v1/analytics/batch',
      summary: 'Record up to 500 events at once.',
      description:
        'Each gets its own result, in order: a refused one does not stop the others. One audit entry for all.',
      permission: 'analytics:write',
      body: wire.eventBatch,
      largeBody: true,
      answers: { 200: wire.batchAnswer },
      run: async (caller, { body }) => {
        const parsed = body.batch.map(parse);
        const drafts = parsed.filter((each) => !(each instanceof DomainError));
        const verdicts = (await recordEvents(deps, caller, drafts)).values();
        const results = parsed.map((each) => {
          const verdict = each instanceof DomainError ? each : verdicts.next().value;
          if (verdict === undefined) throw new Error('an event has no verdict');
          if (!(verdict instanceof DomainError)) return { event_id: verdict.eventId, duplicate: verdict.isDuplicate };
          return { error: { code: verdict.code, message: verdict.message } };
        });
        return { status: 200, body: { results } };
      },
    }),
  ];
}
