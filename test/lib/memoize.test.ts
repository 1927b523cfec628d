// Memoized results come from a cache of bounded size.
import { describe, expect, it } from 'vitest';
import { memoize } from '../../src/lib/memoize.ts';

describe('a memoized function', () => {
  it('computes once while a key is among the newest, also for undefined', () => {
    const computed: string[] = [];
    const answer = memoize(2, (key) => {
      computed.push(key);
      return key === 'none' ? undefined : `${key}!`;
    });
    expect([answer('a'), answer('none'), answer('a'), answer('none')]).toEqual(['a!', undefined, 'a!', undefined]);
    expect(computed).toEqual(['a', 'none']);
    answer('c');
    expect([answer('none'), answer('c'), answer('a')]).toEqual([undefined, 'c!', 'a!']);
    expect(computed).toEqual(['a', 'none', 'c', 'a']);
  });

  it('does not cache results of long keys', () => {
    let computed = 0;
    const answer = memoize(2, (key) => (computed += 1) + key.length);
    const long = 'x'.repeat(3000);
    expect([answer(long), answer(long)]).toEqual([3001, 3002]);
  });
});
