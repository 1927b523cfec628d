// Small worlds of events for tests of analytics: recorded in any order, and judged by the plainest reading of the rules.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import type { AnalyticsDeps } from '../../../src/domain/analytics/analytics-deps.ts';
import { recordEvents } from '../../../src/domain/analytics/events/record-events.ts';
import { identifyName, pageViewName, type EventDraft } from '../../../src/domain/model/analytics/event.ts';
import { DomainError } from '../../../src/domain/model/errors.ts';
import type { Store } from '../../../src/domain/ports/store/store.ts';
import { uuid7Maker } from '../../../src/lib/uuid7.ts';
import { testAnalyticsConfig } from '../builders/part-configs.ts';
import { callerOf } from '../verbs.ts';

/** An event of a world; its time is a whole number of units after a beginning. */
export interface SampleEvent {
  readonly kind: EventDraft['kind'];
  readonly event: string;
  readonly visitor: string | null;
  readonly user: string | null;
  readonly time: number;
  readonly session: string | null;
  readonly source: string | null;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly value: number | null;
}

export interface RecordedSample extends SampleEvent {
  readonly eventId: string;
}

export function analyticsDeps(store: Store): AnalyticsDeps {
  return {
    store,
    makeId: uuid7Maker(() => Date.now(), randomBytes),
    now: () => Date.now(),
    ...testAnalyticsConfig,
    metrics: { eventReceived: () => {} },
  };
}

const visitor = fc.constantFrom('v1', 'v2');
const user = fc.constantFrom('ada', 'bob');
/** Some events of few people at few times, in the order in which they arrive. */
export const sampleEvents = (times: number, names: readonly [string, ...string[]], maxLength: number) =>
  fc.array(
    fc.oneof(
      {
        weight: 7,
        arbitrary: fc.record<SampleEvent>({
          kind: fc.constantFrom('track' as const, 'page' as const),
          event: fc.constantFrom(...names),
          visitor,
          user: fc.option(user, { freq: 1 }),
          time: fc.nat(times),
          session: fc.option(fc.constantFrom('s1', 's2'), { freq: 2 }),
          source: fc.option(fc.constantFrom('email', 'newsletter'), { freq: 1 }),
          properties: fc.record({ plan: fc.constantFrom('pro', 'free') }),
          value: fc.option(fc.constantFrom(1, 2.5), { freq: 1 }),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record<SampleEvent>({
          kind: fc.constant('identify' as const),
          event: fc.constant(identifyName),
          visitor,
          user,
          time: fc.nat(times),
          session: fc.constant(null),
          source: fc.constant(null),
          properties: fc.constant({}),
          value: fc.constant(null),
        }),
      },
    ),
    // Short ones prove little: most of them have no chain.
    { maxLength, size: 'max' },
  );

export interface World {
  readonly tenantId: string;
  /** Milliseconds since 1970. */
  readonly beganAt: number;
  readonly unitMs: number;
}

/** Records the events in their order, a few in one call. */
export async function record(
  deps: AnalyticsDeps,
  { tenantId, beganAt, unitMs }: World,
  sample: readonly SampleEvent[],
): Promise<RecordedSample[]> {
  const caller = callerOf('editor', tenantId);
  const recorded: RecordedSample[] = [];
  for (let i = 0; i < sample.length; i += 3) {
    const some = sample.slice(i, i + 3);
    const drafts = some.map((each): EventDraft => ({
      kind: each.kind,
      event: each.kind === 'page' ? pageViewName : each.event,
      anonymousId: each.visitor,
      userId: each.user,
      sessionId: each.session,
      messageId: null,
      timestamp: new Date(beganAt + each.time * unitMs).toISOString(),
      page: null,
      campaign: each.source === null ? null : { source: each.source },
      properties: each.properties,
      value: each.value,
      currency: null,
    }));
    const verdicts = await recordEvents(deps, caller, drafts);
    for (const [n, verdict] of verdicts.entries()) {
      const [event, draft] = [some[n], drafts[n]];
      if (verdict instanceof DomainError || event === undefined || draft === undefined) throw new Error('not recorded');
      recorded.push({ ...event, event: draft.event, eventId: verdict.eventId });
    }
  }
  return recorded;
}

/** By time, then by arrival. */
export function inOrder(events: readonly RecordedSample[]): RecordedSample[] {
  return events.toSorted((a, b) => a.time - b.time || (a.eventId < b.eventId ? -1 : 1));
}

/** The person of an event: `user …` or `visitor …`. platform-5.3. */
export function personOf(event: SampleEvent, all: readonly RecordedSample[]): string {
  if (event.user !== null) return `user ${event.user}`;
  const sample = inOrder(all).filter((each) => each.kind === 'identify' && each.visitor === event.visitor);
  const before = sample.findLast(({ time }) => time <= event.time);
  // The last of several at the first instant counts, as everywhere.
  const first = sample.findLast(({ time }) => time === sample[0]?.time);
  const known = (before ?? first)?.user;
  return known === undefined || known === null ? `visitor ${event.visitor}` : `user ${known}`;
}
