// Waits end by time, by notification or by their signal, and leave no listener behind.
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { nextNotification, sleep, whenAborted, type Waiter } from '../../src/lib/wait.ts';

const long = 60_000;

/** @returns whether a promise has settled by now */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => (settled = true));
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  return settled;
}

describe('sleep', () => {
  it('resolves after its time and removes its listener', async () => {
    const { signal } = new AbortController();
    const before = performance.now();
    await sleep(20, signal);
    expect(performance.now() - before).toBeGreaterThanOrEqual(19);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('resolves when its signal aborts, and at once when it has', async () => {
    const stop = new AbortController();
    const slept = sleep(long, stop.signal);
    expect(await isSettled(slept)).toBe(false);
    stop.abort();
    expect(await isSettled(slept)).toBe(true);
    expect(await isSettled(sleep(long, stop.signal))).toBe(true);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  });
});

describe('whenAborted', () => {
  it('resolves when the signal aborts, and at once when it has', async () => {
    const stop = new AbortController();
    const aborted = whenAborted(stop.signal);
    expect(await isSettled(aborted)).toBe(false);
    stop.abort();
    expect(await isSettled(aborted)).toBe(true);
    expect(await isSettled(whenAborted(stop.signal))).toBe(true);
  });
});

describe('the next notification', () => {
  it('ends the wait once', async () => {
    const waiter: Waiter = { notify: undefined };
    const { signal } = new AbortController();
    const notified = nextNotification(waiter, signal);
    expect(await isSettled(notified)).toBe(false);
    waiter.notify?.();
    expect(await isSettled(notified)).toBe(true);
    expect(waiter.notify).toBeUndefined();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('is not waited for after the signal has aborted, or the time is over', async () => {
    const stop = new AbortController();
    const waiter: Waiter = { notify: undefined };
    await nextNotification(waiter, stop.signal, 1);
    expect(waiter.notify).toBeUndefined();
    const notified = nextNotification(waiter, stop.signal, long);
    stop.abort();
    expect(await isSettled(notified)).toBe(true);
    expect(waiter.notify).toBeUndefined();
    expect(await isSettled(nextNotification(waiter, stop.signal, long))).toBe(true);
  });
});
