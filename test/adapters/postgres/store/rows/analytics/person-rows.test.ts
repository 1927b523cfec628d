// People: which user a visitor is at which time, what a person's journey holds, and what is forgotten with it. Random cases are
// held against the plainest reading of the rules.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnalyticsDeps } from '../../../../../../src/domain/analytics/analytics-deps.ts';
import { erasePerson } from '../../../../../../src/domain/analytics/people/erase-person.ts';
import type { PersonJourney } from '../../../../../../src/domain/ports/store/analytics/person-rows.ts';
import {
  analyticsDeps,
  inOrder,
  personOf,
  record,
  sampleEvents,
  type RecordedSample,
  type SampleEvent,
  type World,
} from '../../../../../support/analytics/sample-events.ts';
import { cloneDatabase, type TestDatabase } from '../../../../../support/database/database.ts';
import { callerOf, openVerbs, type Verbs } from '../../../../../support/verbs.ts';

let db: TestDatabase;
let verbs: Verbs;
let deps: AnalyticsDeps;
beforeAll(async () => {
  db = await cloneDatabase();
  verbs = await openVerbs(db);
  deps = analyticsDeps(verbs.store);
});
afterAll(async () => {
  await verbs[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

const minuteMs = 60_000;
const numRuns = process.env['SCALE'] === 'full' ? 2_000 : 60;
let worlds = 0;
const newWorld = (): World => {
  worlds += 1;
  const now = Math.floor(Date.now() / minuteMs) * minuteMs;
  return { tenantId: `world-${worlds}`, beganAt: now - 600 * minuteMs, unitMs: minuteMs };
};
const sample = (
  kind: SampleEvent['kind'],
  visitor: string | null,
  user: string | null,
  time: number,
  more: Partial<SampleEvent> = {},
): SampleEvent => ({
  kind,
  event: kind,
  visitor,
  user,
  time,
  session: null,
  source: null,
  properties: {},
  value: null,
  ...more,
});
const identify = (visitor: string, user: string, time: number): SampleEvent => sample('identify', visitor, user, time);

interface MapRow {
  readonly visitor: string;
  readonly time: number;
  readonly user: string;
}
const mapOf = async ({ tenantId, beganAt, unitMs }: World): Promise<MapRow[]> => {
  const rows = await db.query<{ anonymous_id: string; identified_at: Date; user_id: string }>(
    'select * from analytics_identity_map where tenant_id = $1 order by anonymous_id, identified_at',
    [tenantId],
  );
  return rows.map((row) => ({
    visitor: row.anonymous_id,
    time: (Number(row.identified_at) - beganAt) / unitMs,
    user: row.user_id,
  }));
};

/** A row for each change of a visitor's user, in the order of times. */
function changesOf(events: readonly RecordedSample[]): MapRow[] {
  const byVisitor = Map.groupBy(inOrder(events), ({ visitor }) => visitor ?? '');
  return [...byVisitor.keys()].toSorted().flatMap((visitor) => {
    const rows: MapRow[] = [];
    const byTime = Map.groupBy(byVisitor.get(visitor) ?? [], ({ time }) => time);
    for (const [time, same] of byTime) {
      const user = same.at(-1)?.user ?? '';
      if (rows.at(-1)?.user !== user) rows.push({ visitor, time, user });
    }
    return rows;
  });
}

describe('the identity map', () => {
  it('has a row for each change of user, whatever arrived first, in random cases [platform-5.1.3, platform-5.3.1]', async () => {
    const identification = fc.record({
      visitor: fc.constantFrom('v', 'w'),
      user: fc.constantFrom('ada', 'bob', 'cyd'),
      time: fc.nat(6),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(identification, { maxLength: 14, size: 'max' }), async (all) => {
        const world = newWorld();
        const recorded = await record(
          deps,
          world,
          all.map(({ visitor, user, time }) => identify(visitor, user, time)),
        );
        expect(await mapOf(world)).toEqual(changesOf(recorded));
      }),
      { numRuns },
    );
  });

  it('is the same when the identifications come at once', async () => {
    const world = newWorld();
    const all = Array.from({ length: 24 }, (_, i) =>
      identify(i % 3 === 0 ? 'v' : 'w', ['ada', 'bob'][i % 2] ?? '', (i * 7) % 24),
    );
    const recorded = await Promise.all(all.map((each) => record(deps, world, [each])));
    expect(await mapOf(world)).toEqual(changesOf(recorded.flat()));
  });
});

/** Touches and conversions of a user, by the words of the rules. */
function journeyOf(
  user: string,
  events: readonly RecordedSample[],
): { touches: [string, string][]; conversions: string[] } {
  const theirs = inOrder(events.filter((event) => personOf(event, events) === `user ${user}`));
  const touches: [string, string][] = [];
  for (const [i, { kind, source, session, time, eventId }] of theirs.entries()) {
    const before = theirs.slice(0, i);
    const isSilent = time - (before.at(-1)?.time ?? -Infinity) >= 30;
    const isNewSession = session !== null && !before.some((earlier) => earlier.session === session);
    if (source !== null) touches.push([eventId, source === 'email' ? 'email' : 'campaign']);
    else if (kind === 'page' && (isSilent || isNewSession)) touches.push([eventId, 'direct']);
  }
  const conversions = theirs.filter(
    ({ kind, value, properties }) => kind === 'track' && (value !== null || properties['conversion'] === true),
  );
  return { touches, conversions: conversions.map(({ eventId }) => eventId) };
}

const journey = (
  world: World,
  userId: string,
  bounds: { touches?: number; conversions?: number } = {},
): Promise<PersonJourney> =>
  verbs.store.within(world, (rows) =>
    rows.people.journey({
      userId,
      since: new Date(world.beganAt).toISOString(),
      touches: 1_000,
      conversions: 1_000,
      ...bounds,
    }),
  );

describe('the journey of a person', () => {
  it('has the touches and conversions that a plain reading finds, in random cases [platform-5.3.5, platform-5.3.1]', async () => {
    await fc.assert(
      fc.asyncProperty(sampleEvents(120, ['paid'], 14), async (events) => {
        const world = newWorld();
        const recorded = await record(deps, world, events);
        for (const user of ['ada', 'bob']) {
          const found = await journey(world, user);
          expect({
            touches: found.touches.map(({ eventId, channel }) => [eventId, channel]),
            conversions: found.conversions.map(({ eventId }) => eventId),
          }).toEqual(journeyOf(user, recorded));
        }
      }),
      { numRuns },
    );
  });

  it('of the second user of a shared computer begins when it came, also when that is sample late [platform-5.3.3, platform-5.3.2]', async () => {
    for (const isLate of [false, true]) {
      const world = newWorld();
      const links = [identify('shared', 'ada', 10), identify('shared', 'bob', 50), identify('shared', 'ada', 90)];
      const pages = [0, 20, 60, 100].map((time) => sample('page', 'shared', null, time, { source: `at ${time}` }));
      await record(deps, world, isLate ? [...pages, ...links.toReversed()] : [...links, ...pages]);
      const sources = async (user: string) => (await journey(world, user)).touches.map(({ source }) => source);
      expect(await sources('ada')).toEqual(['at 0', 'at 20', 'at 100']);
      expect(await sources('bob')).toEqual(['at 60']);
    }
  });

  it('does not take a visitor’s events that name another user', async () => {
    const world = newWorld();
    await record(deps, world, [identify('v', 'ada', 0), sample('page', 'v', 'bob', 1, { source: 'x' })]);
    expect((await journey(world, 'ada')).touches).toEqual([]);
    expect((await journey(world, 'bob')).touches).toHaveLength(1);
  });

  it('counts a track event with conversion: true, and no page or text of that name', async () => {
    const world = newWorld();
    const properties = { conversion: true };
    const [yes] = await record(deps, world, [
      sample('track', null, 'ada', 0, { properties }),
      sample('page', null, 'ada', 1, { properties }),
      sample('track', null, 'ada', 2, { properties: { conversion: 'true' } }),
    ]);
    expect((await journey(world, 'ada')).conversions.map(({ eventId }) => eventId)).toEqual([yes?.eventId]);
  });

  it('is sample of its newest, in time order', async () => {
    const world = newWorld();
    await record(
      deps,
      world,
      [3, 1, 4, 2].map((time) => sample('track', null, 'ada', time, { value: time, source: `s${time}` })),
    );
    const { touches, conversions } = await journey(world, 'ada', { touches: 2, conversions: 3 });
    expect(touches.map(({ source }) => source)).toEqual(['s3', 's4']);
    expect(conversions.map(({ value }) => value)).toEqual(['2.0000', '3.0000', '4.0000']);
  });
});

describe('erasing a person', () => {
  const eventsOf = ({ tenantId }: World) =>
    db.query<{ event: string }>('select event from analytics_events where tenant_id = $1 order by at, event_id', [
      tenantId,
    ]);

  it('deletes its events, anonymous ones too, and its links, and nothing of others [platform-10.33]', async () => {
    const [world, other] = [newWorld(), newWorld()];
    const all = [
      sample('track', 'shared', null, 0, { event: 'before ada' }),
      identify('shared', 'ada', 10),
      sample('track', 'shared', null, 20, { event: 'as ada' }),
      sample('track', 'shared', 'bob', 25, { event: 'names bob' }),
      identify('shared', 'bob', 30),
      sample('track', 'shared', null, 40, { event: 'as bob' }),
      sample('track', null, 'ada', 50, { event: 'names ada' }),
      sample('track', 'nobody', null, 60, { event: 'of a visitor' }),
    ];
    await record(deps, world, all);
    await record(deps, other, all);
    expect(await erasePerson(verbs, callerOf('admin', world.tenantId), 'ada')).toEqual({ events: 4, links: 1 });
    expect((await eventsOf(world)).map(({ event }) => event)).toEqual([
      'names bob',
      'identify',
      'as bob',
      'of a visitor',
    ]);
    expect(await mapOf(world)).toEqual([{ visitor: 'shared', time: 30, user: 'bob' }]);
    expect(await eventsOf(other)).toHaveLength(all.length);
    await expect(erasePerson(verbs, callerOf('admin', world.tenantId), 'ada')).rejects.toMatchObject({
      code: 'person_not_found',
    });
  });

  it('finds those of more than one batch', async () => {
    const world = newWorld();
    await db.query(
      `insert into analytics_events (tenant_id, event_id, at, kind, event, user_id)
       select $1, make_uuid7(), now(), 'track', 'e', 'ada' from generate_series(1, 10050)`,
      [world.tenantId],
    );
    expect(await erasePerson(verbs, callerOf('admin', world.tenantId), 'ada')).toEqual({ events: 10_050, links: 0 });
    expect(await eventsOf(world)).toEqual([]);
  });
});

it('links go with the last event of their visitor, those that are old enough', async () => {
  const world = newWorld();
  await record(deps, world, [identify('kept', 'ada', 0), identify('gone', 'ada', 0), identify('young', 'ada', 0)]);
  await db.query(`delete from analytics_events where tenant_id = $1 and anonymous_id <> 'kept'`, [world.tenantId]);
  await db.query(
    `update analytics_identity_map set identified_at = now() - interval '401 days' where tenant_id = $1 and anonymous_id <> 'young'`,
    [world.tenantId],
  );
  const drop = (after: string, limit: number) =>
    verbs.store.within(world, (rows) => rows.people.dropUnusedLinks(400, after, limit));
  expect(await drop('', 2)).toEqual({ dropped: 1, last: 'kept' });
  expect(await drop('kept', 2)).toEqual({ dropped: 0, last: 'young' });
  expect(await drop('young', 2)).toEqual({ dropped: 0, last: undefined });
  expect((await mapOf(world)).map(({ visitor }) => visitor)).toEqual(['kept', 'young']);
});
