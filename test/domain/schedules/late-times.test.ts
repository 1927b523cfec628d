// Due times that passed unnoticed are counted by whole days, and the count is that of a walk through all of them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCron, type CronTimes } from '../../../src/domain/schedules/cron-expression.ts';
import { findLateTimes } from '../../../src/domain/schedules/late-times.ts';

const minute = 60_000;
const day = 86_400_000;
const breathe = (): Promise<void> => Promise.resolve();

function walkAll(times: CronTimes, after: number, until: number): number[] {
  const found: number[] = [];
  for (let at = times.next(after); at !== undefined && at <= until; at = times.next(at)) found.push(at);
  return found;
}

describe('late due times', () => {
  it('are counted as a walk through all of them counts, in zones whose clocks change [platform-3.2.12]', async () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'America/Santiago',
      'America/Havana',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
    ];
    const crons = [
      '30 2 * * *',
      '0 * * * *',
      '*/40 */5 * * *',
      '15 0,1,2,3 * * *',
      '0 12 * * MON#1',
      '59 23 L * *',
      '7 7 13 * 5',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...zones),
        fc.constantFrom(...crons),
        fc.integer({ min: 0, max: 500_000 }),
        fc.integer({ min: 1, max: 200_000 }),
        fc.integer({ min: 1, max: 101 }),
        async (zone, cron, startMinute, minutes, keep) => {
          const times = parseCron(cron, zone);
          const after = Date.parse('2026-01-01T00:00:00Z') + startMinute * minute;
          const until = after + minutes * minute;
          const all = walkAll(times, after, until);
          const late = await findLateTimes(times, { after, until, keep }, breathe);
          expect(late).toEqual({ count: all.length, newest: all.slice(-keep) });
        },
      ),
      { numRuns: 40 },
    );
  });

  it('of a year of minutes take some thousand looks, and others run meanwhile', async () => {
    const everyMinute = parseCron('* * * * *', 'Europe/Berlin');
    let looks = 0;
    const counted: CronTimes = {
      next: (after) => {
        looks += 1;
        return everyMinute.next(after);
      },
      nextMidnight: (after) => everyMinute.nextMidnight(after),
    };
    let breaths = 0;
    const after = Date.parse('2026-01-01T00:00:00Z');
    const range = { after, until: after + 365 * day, keep: 101 };
    const late = await findLateTimes(counted, range, async () => void (breaths += 1));
    expect([late.count, late.newest.length, late.newest.at(-1)]).toEqual([365 * 1440, 101, after + 365 * day]);
    expect(looks).toBeLessThan(12_000);
    expect(breaths).toBeGreaterThan(5);
  });
});
