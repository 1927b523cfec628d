// Waits that an abort signal ends.

/**
 * Resolves after `ms`, or when `signal` aborts; never rejects.
 * @param options `ref: false` lets the process exit during the wait
 */
export function sleep(ms: number, signal: AbortSignal, { ref = true }: { ref?: boolean } = {}): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    if (!ref) timer.unref();
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
  });
}

/** Resolves when `signal` aborts. For a signal that outlives the wait by far, the listener stays until then. */
export function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

/** Waits for `work`, but no longer than until `signal` aborts: then it resolves with undefined. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted = Promise.withResolvers<undefined>();
  const onAbort = (): void => aborted.resolve(undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** One waiter of `nextNotification`. */
export interface Waiter {
  /** Ends the wait; undefined while nothing waits. */
  notify: (() => void) | undefined;
}

/** Resolves at the next call of `waiter.notify`, when `signal` aborts, or after `timeoutMs`; never rejects. */
export function nextNotification(waiter: Waiter, signal: AbortSignal, timeoutMs?: number): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = timeoutMs === undefined ? undefined : setTimeout(done, timeoutMs);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      waiter.notify = undefined;
      resolve();
    }
    waiter.notify = done;
    signal.addEventListener('abort', done, { once: true });
  });
}
