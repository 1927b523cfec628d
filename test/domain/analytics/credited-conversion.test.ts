// The credits of one conversion: which touches count, how its value is split, and what a brute-force sum says.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { creditModels, creditTouches } from '../../../src/domain/analytics/people/read-attribution.ts';
import { toUnits } from '../../../src/domain/analytics/people/decimal-units.ts';
import type { PersonConversion, PersonTouch } from '../../../src/domain/model/analytics/touch.ts';

const day = 86_400_000;
const convertedAt = Date.UTC(2026, 0, 31);
const iso = (time: number): string => new Date(time).toISOString();
const touch = (ageMs: number, channel = 'paid'): PersonTouch => ({
  eventId: `touch ${ageMs}`,
  at: iso(convertedAt - ageMs),
  channel,
  source: null,
  medium: null,
  campaign: null,
  referrer: null,
});
const conversion = (value: string | null, currency: string | null): PersonConversion => ({
  eventId: 'conversion',
  event: 'paid',
  at: iso(convertedAt),
  value,
  currency,
});

describe('the credits of a conversion', () => {
  it('count touches from the lookback to the conversion, both included [platform-5.3.7]', () => {
    const touches = [touch(30 * day + 1), touch(30 * day), touch(1), touch(0), touch(-1)];
    const { credited } = creditTouches(conversion('10', 'EUR'), touches, 30);
    expect(credited.credits.linear.map((credit) => credit.touch)).toEqual(touches.slice(1, 4));
    expect([credited.firstTouch, credited.lastTouch]).toEqual([touches[1], touches[3]]);
  });

  it('name the last touch that is not direct, else the last [platform-5.3.8]', () => {
    const touches = [touch(3 * day), touch(2 * day, 'email'), touch(day, 'direct')];
    expect(creditTouches(conversion(null, null), touches, 30).credited.lastNonDirect).toEqual(touches[1]);
    expect(creditTouches(conversion(null, null), touches.slice(2), 30).credited.lastNonDirect).toEqual(touches[2]);
  });

  it('are none without a touch [platform-5.3.10]', () => {
    const { credited, isPartial } = creditTouches(conversion('10', 'EUR'), [touch(31 * day)], 30);
    expect(credited).toMatchObject({ firstTouch: null, lastTouch: null, lastNonDirect: null });
    expect(credited.credits).toEqual({ linear: [], position: [], time_decay: [] });
    expect(isPartial).toBe(false);
  });

  it.each([
    ['100.0000', 'EUR', [33.34, 33.33, 33.33]],
    ['100.0000', 'JPY', [34, 33, 33]],
    ['0.0010', 'KWD', [0.001, 0, 0]],
    ['1.0000', null, [0.3334, 0.3333, 0.3333]],
    ['-1.0000', 'EUR', [-0.34, -0.33, -0.33]],
    // Half a cent is rounded away from zero before it is split.
    ['0.0050', 'EUR', [0.01, 0, 0]],
    [null, null, [null, null, null]],
  ])('split %s %s in the smallest unit [platform-5.3.9]', (value, currency, parts) => {
    const { credited } = creditTouches(conversion(value, currency), [touch(3), touch(2), touch(1)], 30);
    expect(credited.credits.linear.map((credit) => credit.value)).toEqual(parts);
    expect(credited.credits.linear.map(({ credit }) => credit)).toEqual([0.333_334, 0.333_333, 0.333_333]);
  });

  it('sum to 1 and to the value, in random cases [platform-5.3.9]', () => {
    const ages = fc.array(fc.integer({ min: 0, max: 40 * day }), { maxLength: 20 });
    fc.assert(
      fc.property(ages, fc.integer({ min: -(10 ** 13), max: 10 ** 13 }), (some, tenThousandths) => {
        const touches = some.toSorted((a, b) => b - a).map((age) => touch(age));
        const text = `${tenThousandths < 0 ? '-' : ''}${String(Math.abs(tenThousandths))
          .padStart(5, '0')
          .replace(/(\d{4})$/, '.$1')}`;
        const { credited } = creditTouches(conversion(text, 'EUR'), touches, 30);
        const cents = toUnits(text, 2);
        expect(Math.abs(cents - tenThousandths / 100)).toBeLessThanOrEqual(0.5);
        for (const model of creditModels) {
          const credits = credited.credits[model];
          const expected = some.filter((age) => age <= 30 * day).length;
          expect(credits).toHaveLength(expected);
          if (expected === 0) continue;
          expect(credits.reduce((sum, { credit }) => sum + Math.round(credit * 1e6), 0)).toBe(1e6);
          expect(credits.reduce((sum, credit) => sum + Math.round((credit.value ?? 0) * 100), 0)).toBe(cents);
        }
      }),
    );
  });

  it('leave out the oldest of more than two hundred touches, and say so', () => {
    const touches = Array.from({ length: 201 }, (_, i) => touch((201 - i) * 60_000));
    const { credited, isPartial } = creditTouches(conversion(null, null), touches, 30);
    expect([credited.credits.linear.length, isPartial]).toEqual([200, true]);
    expect(credited.firstTouch).toEqual(touches[1]);
  });
});
