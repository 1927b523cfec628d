// What is remembered of a credential: half a second from the question on, one question for all who ask at once.
import { describe, expect, it } from 'vitest';
import { BriefMemory, type Found } from '../../src/domain/access/identity/brief-memory.ts';

function scene(leftMs = Infinity) {
  const clock = { now: 0 };
  const asked: PromiseWithResolvers<Found<string> | undefined>[] = [];
  const memory = new BriefMemory<string>(() => clock.now);
  return {
    clock,
    asked,
    memory,
    get: () =>
      memory.get('key', () => {
        const question = Promise.withResolvers<Found<string> | undefined>();
        asked.push(question);
        return question.promise;
      }),
    answer: (n: number, value: string) => asked[n]?.resolve({ value, leftMs }),
  };
}

describe('what was found', () => {
  it('holds for half a second from the question, not from the answer', async () => {
    const { clock, asked, get, answer } = scene();
    const first = get();
    clock.now = 300;
    answer(0, 'a');
    expect(await first).toBe('a');
    clock.now = 499;
    expect(await get()).toBe('a');
    expect(asked).toHaveLength(1);
    clock.now = 500;
    const second = get();
    answer(1, 'b');
    expect(await second).toBe('b');
  });

  it('holds no longer than what it is about', async () => {
    const { clock, asked, get, answer } = scene(100);
    const first = get();
    answer(0, 'a');
    await first;
    clock.now = 99;
    expect(await get()).toBe('a');
    clock.now = 100;
    const second = get();
    answer(1, 'b');
    expect(await second).toBe('b');
    expect(asked).toHaveLength(2);
  });

  it('is answered to all who asked meanwhile, and so is a failure, which is not remembered', async () => {
    const { asked, get, answer } = scene();
    const all = Array.from({ length: 50 }, get);
    expect(asked).toHaveLength(1);
    asked[0]?.reject(new Error('away'));
    expect((await Promise.allSettled(all)).every(({ status }) => status === 'rejected')).toBe(true);
    const again = get();
    answer(1, 'a');
    expect(await again).toBe('a');
  });

  it('too late is not for who asks now: a question that hangs is asked anew', async () => {
    const { clock, asked, get, answer } = scene();
    const hanging = get();
    clock.now = 500;
    const fresh = get();
    expect(asked).toHaveLength(2);
    answer(1, 'new');
    answer(0, 'old');
    expect(await Promise.all([hanging, fresh])).toEqual(['old', 'new']);
    expect(await get()).toBe('new');
  });

  it('before everything was forgotten is not remembered after it', async () => {
    const { asked, memory, get, answer } = scene();
    const before = get();
    memory.forgetAll();
    answer(0, 'old');
    expect(await before).toBe('old');
    const after = get();
    answer(1, 'new');
    expect(await after).toBe('new');
    expect(asked).toHaveLength(2);
  });

  it('nowhere is asked for every time', async () => {
    const { asked, get } = scene();
    for (let n = 0; n < 3; n += 1) {
      const nothing = get();
      asked[n]?.resolve(undefined);
      expect(await nothing).toBeUndefined();
    }
    expect(asked).toHaveLength(3);
  });
});
