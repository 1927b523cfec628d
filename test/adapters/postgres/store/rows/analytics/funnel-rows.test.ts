// People along a funnel, as the database counts them, against a search over all chains of events.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { funnelRows } from '../../../../../../src/adapters/postgres/store/rows/analytics/funnel-rows.ts';
import type { FunnelCounts, FunnelStep } from '../../../../../../src/domain/model/analytics/funnel.ts';
import type { FunnelQuestion } from '../../../../../../src/domain/ports/store/analytics/funnel-rows.ts';
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
import { openVerbs, type Verbs } from '../../../../../support/verbs.ts';

let db: TestDatabase;
let verbs: Verbs;
beforeAll(async () => {
  db = await cloneDatabase();
  verbs = await openVerbs(db);
});
afterAll(async () => {
  await verbs[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

const hourMs = 3_600_000;
const numRuns = process.env['SCALE'] === 'full' ? 3_000 : 120;
let worlds = 0;
const newWorld = (): World => {
  worlds += 1;
  return {
    tenantId: `world-${worlds}`,
    beganAt: Math.floor(Date.now() / hourMs) * hourMs - 240 * hourMs,
    unitMs: hourMs,
  };
};

interface Asked {
  readonly steps: readonly FunnelStep[];
  readonly from: number;
  readonly to: number;
  readonly windowHours: number;
}
const step = (event: string, where: FunnelStep['where'] = {}): FunnelStep => ({ name: null, event, where });
const names = ['a', 'b', 'c'] as const;
const asked = fc.record<Asked>({
  steps: fc.array(
    fc.record<FunnelStep>({
      name: fc.constant(null),
      event: fc.constantFrom(...names, 'page_view'),
      where: fc.option(fc.record({ plan: fc.constantFrom('pro', 'free') }), { freq: 2 }).map((where) => where ?? {}),
    }),
    { minLength: 1, maxLength: 4, size: 'max' },
  ),
  from: fc.nat(3),
  to: fc.integer({ min: 4, max: 13 }),
  windowHours: fc.integer({ min: 1, max: 4 }),
});

function questionOf({ beganAt }: World, { steps, from, to, windowHours }: Asked): FunnelQuestion {
  const at = (hours: number): string => new Date(beganAt + hours * hourMs).toISOString();
  return { steps, windowHours, from: at(from), to: at(to) };
}
const measure = (world: World, question: Asked): Promise<FunnelCounts> =>
  verbs.store.within(world, (rows) => rows.funnels.measure(questionOf(world, question)));

const fits = (event: SampleEvent, wanted: FunnelStep): boolean =>
  event.event === wanted.event &&
  Object.entries(wanted.where).every(([name, value]) => event.properties[name] === value);

/** Every chain of each person, one event after the other: how far the longest goes, and the chains that go to the end. */
function search(events: readonly RecordedSample[], { steps, from, to, windowHours }: Asked): FunnelCounts {
  const people = Map.groupBy(inOrder(events), (event) => personOf(event, events));
  const reached = steps.map(() => 0);
  const seconds: number[] = [];
  for (const theirs of people.values()) {
    let longest = 0;
    const ended: { place: number; began: number }[] = [];
    const extend = (depth: number, place: number, began: number): void => {
      longest = Math.max(longest, depth);
      if (depth === steps.length) ended.push({ place, began });
      const wanted = steps[depth];
      if (wanted === undefined) return;
      for (const [next, event] of theirs.entries()) {
        if (next <= place || !fits(event, wanted)) continue;
        if (depth === 0 && (event.time < from || event.time >= to)) continue;
        const since = depth === 0 ? event.time : began;
        if (event.time - since <= windowHours) extend(depth + 1, next, since);
      }
    };
    extend(0, -1, 0);
    for (let k = 0; k < longest; k += 1) reached[k] = (reached[k] ?? 0) + 1;
    const firstEnd = Math.min(...ended.map(({ place }) => place));
    const began = Math.max(...ended.filter(({ place }) => place === firstEnd).map((chain) => chain.began));
    const end = theirs[firstEnd];
    if (end !== undefined) seconds.push((end.time - began) * 3600);
  }
  seconds.sort((a, b) => a - b);
  const middle = [seconds[Math.floor((seconds.length - 1) / 2)], seconds[Math.ceil((seconds.length - 1) / 2)]];
  const [low, high] = middle;
  return { reached, medianSeconds: low === undefined || high === undefined ? null : (low + high) / 2 };
}

const sample = (event: string, visitor: string, time: number, more: Partial<SampleEvent> = {}): SampleEvent => ({
  kind: 'track',
  event,
  visitor,
  user: null,
  time,
  session: null,
  source: null,
  properties: {},
  value: null,
  ...more,
});

describe('people along a funnel', () => {
  it('are as many as a search over all chains finds, in random cases [platform-5.3.4, platform-5.3.1, platform-5.3.2]', async () => {
    const deps = analyticsDeps(verbs.store);
    await fc.assert(
      fc.asyncProperty(
        sampleEvents(12, names, 18),
        fc.array(asked, { minLength: 3, maxLength: 3 }),
        async (events, questions) => {
          const world = newWorld();
          const recorded = await record(deps, world, events);
          for (const question of questions) expect(await measure(world, question)).toEqual(search(recorded, question));
        },
      ),
      { numRuns },
    );
  });

  it('may begin anew: a visitor who comes back counts from the last time', async () => {
    const world = newWorld();
    const recorded = await record(analyticsDeps(verbs.store), world, [
      sample('a', 'v', 0),
      sample('a', 'v', 20),
      sample('b', 'v', 21),
    ]);
    const question = { steps: [step('a'), step('b')], from: 0, to: 24, windowHours: 2 };
    expect(await measure(world, question)).toEqual({ reached: [1, 1], medianSeconds: 3600 });
    expect(search(recorded, question)).toEqual({ reached: [1, 1], medianSeconds: 3600 });
  });

  it('take the last step up to the very end of the window, and no event twice', async () => {
    const world = newWorld();
    await record(analyticsDeps(verbs.store), world, [
      sample('a', 'v', 0),
      sample('a', 'v', 5),
      sample('a', 'w', 0),
      sample('a', 'x', 0),
      sample('a', 'x', 6),
    ]);
    const twice = { steps: [step('a'), step('a')], from: 0, to: 24, windowHours: 5 };
    expect((await measure(world, twice)).reached).toEqual([3, 1]);
  });

  it('have properties that equal those of a step, of the same type', async () => {
    const world = newWorld();
    const properties = { n: 1, list: ['pro'], none: null, yes: true };
    await record(analyticsDeps(verbs.store), world, [sample('a', 'v', 0, { properties })]);
    const reached = async (where: FunnelStep['where']): Promise<number | undefined> =>
      (await measure(world, { steps: [step('a', where)], from: 0, to: 24, windowHours: 1 })).reached[0];
    expect(await reached({ n: 1, none: null, yes: true })).toBe(1);
    const others: FunnelStep['where'][] = [
      { n: '1' },
      { n: 2 },
      { list: 'pro' },
      { none: false },
      { yes: 'true' },
      { absent: null },
    ];
    for (const where of others) {
      expect([where, await reached(where)]).toEqual([where, 0]);
    }
  });

  it('of ten steps are counted', async () => {
    const world = newWorld();
    await record(
      analyticsDeps(verbs.store),
      world,
      Array.from({ length: 10 }, (_, i) => sample(`s${i}`, 'v', i)),
    );
    const steps = Array.from({ length: 10 }, (_, i) => step(`s${i}`));
    expect(await measure(world, { steps, from: 0, to: 24, windowHours: 9 })).toEqual({
      reached: Array.from({ length: 10 }, () => 1),
      medianSeconds: 9 * 3600,
    });
    expect((await measure(world, { steps, from: 0, to: 24, windowHours: 8 })).reached[9]).toBe(0);
  });

  it('of another tenant are not among them', async () => {
    const [world, other] = [newWorld(), newWorld()];
    await record(analyticsDeps(verbs.store), other, [sample('a', 'v', 0)]);
    expect(await measure(world, { steps: [step('a')], from: 0, to: 24, windowHours: 1 })).toEqual({
      reached: [0],
      medianSeconds: null,
    });
  });
});

it('a count that takes longer than a statement may is refused with what to do', async () => {
  const cancelled = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
  const rows = funnelRows({ tenantId: 'default', query: () => Promise.reject(cancelled) });
  const question = { steps: [step('a')], from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', windowHours: 1 };
  await expect(rows.measure(question)).rejects.toMatchObject({ kind: 'unavailable', code: 'funnel_too_large' });
});
