// What was asked before is answered from memory, and the memory is bounded.
import { describe, expect, it } from 'vitest';
import { memoize } from '../../src/lib/memoize.ts';

describe('a remembered answer', () => {
  it('is asked for once while its key is among the newest, undefined too', () => {
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

  it('is never of a key of any length', () => {
    let computed = 0;
    const answer = memoize(2, (key) => (computed += 1) + key.length);
    const long = 'x'.repeat(3000);
    expect([answer(long), answer(long)]).toEqual([3001, 3002]);
  });
});
