// Ids: version 7, increasing, unique.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { uuid7Maker } from '../../src/lib/uuid7.ts';

describe('ids', () => {
  it('have the form of version 7 and the time of their creation', () => {
    const makeId = uuid7Maker(() => 0x0190_1234_5678, randomBytes);
    expect(makeId()).toMatch(/^01901234-5678-7000-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(makeId()).toMatch(/^01901234-5678-7001-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('increase and stay unique when the clock stands still or goes back, and for many ids in one millisecond', () => {
    const clock = [5_000, 5_000, 4_000, 5_001, 4_999];
    let call = 0;
    const makeId = uuid7Maker(() => clock[Math.floor((call += 1) / 4_000) % clock.length] ?? 0, randomBytes);
    const ids = Array.from({ length: 20_000 }, makeId);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('use every random bit except the two of the variant', () => {
    const ones = uuid7Maker(
      () => 1,
      (size) => new Uint8Array(size).fill(0xff),
    );
    const zeros = uuid7Maker(
      () => 1,
      (size) => new Uint8Array(size),
    );
    expect(ones()).toBe('00000000-0001-7000-bfff-ffffffffffff');
    expect(zeros()).toBe('00000000-0001-7000-8000-000000000000');
  });
});
