// The pause of an attempt, and its listeners.

/** Pauses or resumes a part of the attempt. False: that part cannot be paused here. */
export type OnPause = (paused: boolean) => Promise<boolean>;

export interface PauseState {
  readonly paused: boolean;
  /** Resolves at once unless the attempt is paused; then when it resumes, or `signal` aborts. */
  untilResumed(signal: AbortSignal): Promise<void>;
  /** Calls `onPause` at each change. @returns a function that removes the listener */
  listen(onPause: OnPause): () => void;
}

export interface PauseSwitch extends PauseState {
  /** Resolves when every part is paused or resumed. @returns false when a part could not be paused */
  set(paused: boolean): Promise<boolean>;
}

export function createPauseSwitch(): PauseSwitch {
  const listeners = new Set<OnPause>();
  let resumed: PromiseWithResolvers<void> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function notifyListeners(paused: boolean): Promise<boolean> {
    const results = await Promise.all([...listeners].map((listener) => listener(paused)));
    return results.every(Boolean);
  }

  return {
    get paused() {
      return resumed !== undefined;
    },
    async untilResumed(signal) {
      for (let wait = resumed; wait !== undefined && !signal.aborted; wait = resumed) {
        const ended = new AbortController();
        const aborted = new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve(), { once: true, signal: ended.signal });
        });
        await Promise.race([wait.promise, aborted]);
        ended.abort();
      }
    },
    listen(onPause) {
      listeners.add(onPause);
      return () => listeners.delete(onPause);
    },
    set(paused) {
      if (paused) {
        resumed ??= Promise.withResolvers<void>();
      } else {
        resumed?.resolve();
        resumed = undefined;
      }
      // Changes run one after the other, so that the last call decides.
      const results = last.then(() => notifyListeners(paused));
      last = results.catch(() => undefined);
      return results;
    },
  };
}
