// Arithmetic of stretches of time, by which the chaos tests judge who waited.
import { describe, expect, it } from 'vitest';
import { intervalsAtCapacity, overlap, without } from './intervals.ts';

const span = (from: number, to: number): { from: number; to: number } => ({ from, to });

describe('spans', () => {
  it('lose what holes take of them: at either end, in the middle, more than once, or altogether', () => {
    expect(without(span(0, 10), [])).toEqual([span(0, 10)]);
    expect(without(span(0, 10), [span(-5, 2), span(4, 5), span(4, 6), span(9, 20)])).toEqual([span(2, 4), span(6, 9)]);
    expect(without(span(0, 10), [span(20, 30), span(-9, -1)])).toEqual([span(0, 10)]);
    expect(without(span(0, 10), [span(0, 10)])).toEqual([]);
  });

  it('are crowded while as many go on at once, and not where one ends as the next begins', () => {
    expect(intervalsAtCapacity([span(0, 10), span(2, 4), span(4, 6)], 2)).toEqual([span(2, 4), span(4, 6)]);
    expect(intervalsAtCapacity([span(0, 4), span(1, 5), span(2, 9)], 3)).toEqual([span(2, 4)]);
    expect(intervalsAtCapacity([span(0, 4), span(1, 5)], 3)).toEqual([]);
  });

  it('have in common what both cover', () => {
    expect(overlap(span(0, 5), span(3, 9))).toBe(2);
    expect(overlap(span(0, 5), span(5, 9))).toBe(0);
    expect(overlap(span(0, 5), span(7, 9))).toBe(-2);
  });
});
