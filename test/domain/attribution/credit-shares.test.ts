// The attribution models and their rounding: known cases, and laws in random ones.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allocate } from '../../../src/domain/attribution/allocate.ts';
import { attributionModels, creditShares, type Touch } from '../../../src/domain/attribution/credit-shares.ts';

const day = 86_400_000;
const convertedAt = Date.UTC(2026, 0, 31);
/** Touches so many days before the conversion; a negative number stands for a direct one. */
const touchesOf = (...ages: number[]): Touch[] =>
  ages.map((age) => ({ at: convertedAt - Math.abs(age) * day, isDirect: Object.is(age, -Math.abs(age)) }));
const shares = (model: (typeof attributionModels)[number], ...ages: number[]): number[] =>
  creditShares(model, touchesOf(...ages), convertedAt);

describe('the models [platform-5.3.8]', () => {
  it('first and last give all to one', () => {
    expect(shares('first', 9, 5, 1)).toEqual([1, 0, 0]);
    expect(shares('last', 9, 5, 1)).toEqual([0, 0, 1]);
  });

  it('last non-direct gives all to the last that is not direct, else to the last', () => {
    expect(shares('last_non_direct', 9, 5, -3, -1)).toEqual([0, 1, 0, 0]);
    expect(shares('last_non_direct', -5, -1)).toEqual([0, 1]);
  });

  it('linear gives each the same', () => {
    expect(shares('linear', 9, 5, 3, 1)).toEqual([0.25, 0.25, 0.25, 0.25]);
  });

  it('position gives 40, 20 and 40, of two half each, of one all', () => {
    expect(shares('position', 1)).toEqual([1]);
    expect(shares('position', 2, 1)).toEqual([0.5, 0.5]);
    const [first, second, third, fourth] = shares('position', 9, 5, 3, 1);
    expect([first, fourth]).toEqual([0.4, 0.4]);
    expect(second).toBeCloseTo(0.1, 12);
    expect(third).toBeCloseTo(0.1, 12);
  });

  it('time decay halves a share each seven days', () => {
    const [old, young] = shares('time_decay', 8, 1);
    expect((young ?? 0) / (old ?? 1)).toBeCloseTo(2, 12);
    // Touches of a year ago would have weights near zero: their shares are those among themselves.
    expect(shares('time_decay', 372, 365)[1]).toBeCloseTo(2 / 3, 12);
  });

  it('without a touch there is no share [platform-5.3.10]', () => {
    for (const model of attributionModels) expect(creditShares(model, [], convertedAt)).toEqual([]);
  });

  it('share exactly the whole, with no share below zero, in random cases [platform-5.3.9]', () => {
    const touch = fc.record({
      at: fc.integer({ min: convertedAt - 365 * day, max: convertedAt }),
      isDirect: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...attributionModels),
        fc.array(touch, { minLength: 1, maxLength: 50 }),
        (model, found) => {
          const sorted = found.toSorted((a, b) => a.at - b.at);
          const all = creditShares(model, sorted, convertedAt);
          expect(all).toHaveLength(sorted.length);
          expect(all.every((share) => share >= 0 && share <= 1)).toBe(true);
          expect(all.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
          if (model === 'time_decay') expect(all).toEqual(all.toSorted((a, b) => a - b));
        },
      ),
    );
  });
});

describe('rounding by largest remainder [platform-5.3.9]', () => {
  it.each([
    [100, [1 / 3, 1 / 3, 1 / 3], [34, 33, 33]],
    [100, [0.4, 0.2, 0.4], [40, 20, 40]],
    [1, [0.2, 0.5, 0.3], [0, 1, 0]],
    [10, [0.15, 0.15, 0.7], [2, 1, 7]],
    [-100, [1 / 3, 1 / 3, 1 / 3], [-34, -33, -33]],
    [0, [0.5, 0.5], [0, 0]],
    [7, [], []],
    [100, [0.29, 0.71], [29, 71]],
  ])('%i by %j is %j', (units, by, parts) => {
    expect(allocate(units, by)).toEqual(parts);
  });

  it('sums to the whole and is never a unit off, in random cases', () => {
    const weights = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 15), max: 10 ** 15 }), weights, (units, raw) => {
        const sum = raw.reduce((total, weight) => total + weight, 0);
        const by = sum > 0 ? raw.map((weight) => weight / sum) : raw.map(() => 1 / raw.length);
        const parts = allocate(units, by);
        expect(parts.reduce((total, part) => total + part, 0)).toBe(units);
        for (const [i, part] of parts.entries()) {
          expect(Math.abs(part - (by[i] ?? 0) * units)).toBeLessThan(1 + Math.abs(units) * 1e-14);
        }
      }),
    );
  });
});
