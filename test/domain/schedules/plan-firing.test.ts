// What happens with due times that have come: on time, late, or missed.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CatchUpPolicy } from '../../../src/domain/model/schedule/cronjob.ts';
import { parseCron } from '../../../src/domain/schedules/cron-expression.ts';
import { planFiring, type FiringFacts } from '../../../src/domain/schedules/plan-firing.ts';

const minute = 60_000;
const everyMinute = parseCron('* * * * *', 'UTC');
const start = Date.parse('2026-05-01T10:00:00Z');
const breathe = (): Promise<void> => Promise.resolve();

interface Outcome {
  readonly fired: { readonly dueAt: number; readonly trigger: string }[];
  readonly missed: number;
  readonly missedRuns: number;
  readonly next: number | undefined;
}

/** Repeats steps until nothing is due any more. */
async function settle(facts: Partial<FiringFacts> & { now: number; catchUp: CatchUpPolicy }): Promise<Outcome> {
  const fired: { dueAt: number; trigger: string }[] = [];
  let missed = 0;
  let missedRuns = 0;
  let next: number | undefined = facts.dueAt ?? start;
  while (next !== undefined) {
    const whole = { jitterMs: 0, endsAt: undefined, catchUpWindowMs: 86_400_000, ...facts, dueAt: next };
    const firing = await planFiring(everyMinute, whole, breathe);
    if (firing === undefined) break;
    if (firing.kind === 'fire') fired.push({ dueAt: firing.dueAt, trigger: firing.trigger });
    else {
      missed += firing.count;
      missedRuns += 1;
    }
    next = firing.nextDueAt;
  }
  return { fired, missed, missedRuns, next };
}

describe('due times that have come', () => {
  it('fire on time whatever the policy, up to a minute late [platform-3.2.9]', async () => {
    for (const catchUp of ['none', 'last', 'all'] as const) {
      const outcome = await settle({ now: start + minute, catchUp });
      expect(outcome).toEqual({
        fired: [
          { dueAt: start, trigger: 'schedule' },
          { dueAt: start + minute, trigger: 'schedule' },
        ],
        missed: 0,
        missedRuns: 0,
        next: start + 2 * minute,
      });
    }
  });

  it('do nothing before they come, the jitter included [platform-3.2.15]', async () => {
    expect((await settle({ now: start - 1, catchUp: 'all' })).fired).toEqual([]);
    expect((await settle({ now: start + 9_999, jitterMs: 10_000, catchUp: 'all' })).fired).toEqual([]);
    expect((await settle({ now: start + 10_000, jitterMs: 10_000, catchUp: 'all' })).fired).toEqual([
      { dueAt: start, trigger: 'schedule' },
    ]);
  });

  it('are missed but for the newest one: last [platform-3.2.10]', async () => {
    const { fired, missed, missedRuns } = await settle({ now: start + 10.5 * minute, catchUp: 'last' });
    // The times 0 to 9 are late, 10 is on time.
    expect([missed, missedRuns]).toEqual([9, 1]);
    expect(fired).toEqual([
      { dueAt: start + 9 * minute, trigger: 'catch_up' },
      { dueAt: start + 10 * minute, trigger: 'schedule' },
    ]);
  });

  it('are all missed: none, and beyond the window: last [platform-3.2.10]', async () => {
    expect(await settle({ now: start + 10.5 * minute, catchUp: 'none' })).toMatchObject({ missed: 10, missedRuns: 1 });
    const daily = parseCron('@daily', 'UTC');
    const dueAt = Date.parse('2026-05-01T00:00:00Z');
    const facts = { dueAt, jitterMs: 0, endsAt: undefined, catchUp: 'last' as const, catchUpWindowMs: 3_600_000 };
    expect(await planFiring(daily, { ...facts, now: dueAt + 3_600_001 }, breathe)).toMatchObject({
      kind: 'miss',
      count: 1,
    });
    expect(await planFiring(daily, { ...facts, now: dueAt + 3_600_000 }, breathe)).toMatchObject({ kind: 'fire' });
  });

  it('are caught up with, the newest hundred, oldest first: all [platform-3.2.11]', async () => {
    const { fired, missed, missedRuns } = await settle({ now: start + 250.5 * minute, catchUp: 'all' });
    expect([missed, missedRuns]).toEqual([150, 1]);
    expect(fired.length).toBe(101);
    expect(fired[0]).toEqual({ dueAt: start + 150 * minute, trigger: 'catch_up' });
    expect(fired.at(-1)).toEqual({ dueAt: start + 250 * minute, trigger: 'schedule' });
  });

  it('of a year of minutes are one missed run [platform-3.2.12]', async () => {
    const { missed, missedRuns } = await settle({ now: start + 365 * 1440 * minute, catchUp: 'none' });
    expect([missed, missedRuns]).toEqual([365 * 1440 - 1, 1]);
  });

  it('each has one end: fired once or missed once, in order, and none after the end of the job [platform-3.2.12]', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 300 * minute }),
        fc.constantFrom('none', 'last', 'all'),
        fc.integer({ min: 60_000, max: 400 * minute }),
        fc.option(fc.integer({ min: 0, max: 300 * minute }), { nil: undefined }),
        async (elapsed, catchUp, catchUpWindowMs, endAfter) => {
          const endsAt = endAfter === undefined ? undefined : start + endAfter;
          const { fired, missed, next } = await settle({ now: start + elapsed, catchUp, catchUpWindowMs, endsAt });
          const last = Math.min(elapsed, endAfter ?? elapsed);
          expect(fired.length + missed).toBe(Math.floor(last / minute) + 1);
          expect(fired.every(({ dueAt }, at) => at === 0 || dueAt > Number(fired[at - 1]?.dueAt))).toBe(true);
          if (next !== undefined) expect(next).toBeGreaterThan(start + elapsed);
        },
      ),
      { numRuns: 60 },
    );
  });
});
