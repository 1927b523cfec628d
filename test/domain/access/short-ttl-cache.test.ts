// The credential cache: half a second from the start of the lookup, one lookup for concurrent callers.
import { describe, expect, it } from 'vitest';
import { ShortTtlCache, type LookupResult } from '../../../src/domain/access/identity/short-ttl-cache.ts';

function openCache(leftMs = Infinity) {
  const clock = { now: 0 };
  const pending: PromiseWithResolvers<LookupResult<string> | undefined>[] = [];
  const memory = new ShortTtlCache<string>(() => clock.now);
  return {
    clock,
    asked: pending,
    memory,
    get: () =>
      memory.get('key', () => {
        const question = Promise.withResolvers<LookupResult<string> | undefined>();
        pending.push(question);
        return question.promise;
      }),
    answer: (n: number, value: string) => pending[n]?.resolve({ value, ttlMs: leftMs }),
  };
}

describe('a cached answer', () => {
  it('is used for half a second from the start of its lookup, not from its end', async () => {
    const { clock, asked: pending, get, answer } = openCache();
    const first = get();
    clock.now = 300;
    answer(0, 'a');
    expect(await first).toBe('a');
    clock.now = 499;
    expect(await get()).toBe('a');
    expect(pending).toHaveLength(1);
    clock.now = 500;
    const second = get();
    answer(1, 'b');
    expect(await second).toBe('b');
  });

  it('is used no longer than its credential lives', async () => {
    const { clock, asked: pending, get, answer } = openCache(100);
    const first = get();
    answer(0, 'a');
    await first;
    clock.now = 99;
    expect(await get()).toBe('a');
    clock.now = 100;
    const second = get();
    answer(1, 'b');
    expect(await second).toBe('b');
    expect(pending).toHaveLength(2);
  });

  it('is shared by concurrent callers, and so is a failure, which is not cached', async () => {
    const { asked: pending, get, answer } = openCache();
    const all = Array.from({ length: 50 }, get);
    expect(pending).toHaveLength(1);
    pending[0]?.reject(new Error('away'));
    expect((await Promise.allSettled(all)).every(({ status }) => status === 'rejected')).toBe(true);
    const again = get();
    answer(1, 'a');
    expect(await again).toBe('a');
  });

  it('of a lookup that hangs is not awaited by later callers, who look up again', async () => {
    const { clock, asked: pending, get, answer } = openCache();
    const hanging = get();
    clock.now = 500;
    const fresh = get();
    expect(pending).toHaveLength(2);
    answer(1, 'new');
    answer(0, 'old');
    expect(await Promise.all([hanging, fresh])).toEqual(['old', 'new']);
    expect(await get()).toBe('new');
  });

  it('from before a clear is not cached after it', async () => {
    const { asked: pending, memory, get, answer } = openCache();
    const before = get();
    memory.clear();
    answer(0, 'old');
    expect(await before).toBe('old');
    const after = get();
    answer(1, 'new');
    expect(await after).toBe('new');
    expect(pending).toHaveLength(2);
  });

  it('that is a miss is looked up every time', async () => {
    const { asked: pending, get } = openCache();
    for (let n = 0; n < 3; n += 1) {
      const nothing = get();
      pending[n]?.resolve(undefined);
      expect(await nothing).toBeUndefined();
    }
    expect(pending).toHaveLength(3);
  });
});
