// What was asked before is answered from memory, and the memory is bounded.
import { describe, expect, it } from 'vitest';
import { remember } from '../../src/lib/remember.ts';

describe('a remembered answer', () => {
  it('is asked for once while its key is among the newest, undefined too', () => {
    const asked: string[] = [];
    const answer = remember(2, (key) => {
      asked.push(key);
      return key === 'none' ? undefined : `${key}!`;
    });
    expect([answer('a'), answer('none'), answer('a'), answer('none')]).toEqual(['a!', undefined, 'a!', undefined]);
    expect(asked).toEqual(['a', 'none']);
    answer('c');
    expect([answer('none'), answer('c'), answer('a')]).toEqual([undefined, 'c!', 'a!']);
    expect(asked).toEqual(['a', 'none', 'c', 'a']);
  });

  it('is never of a key of any length', () => {
    let asked = 0;
    const answer = remember(2, (key) => (asked += 1) + key.length);
    const long = 'x'.repeat(3000);
    expect([answer(long), answer(long)]).toEqual([3001, 3002]);
  });
});
