// Whether a run is paused, and who has to be told when that changes.

/** Holds or lets go what belongs to the run. False: it cannot be held here. */
export type OnPause = (paused: boolean) => Promise<boolean>;

export interface PauseState {
  readonly paused: boolean;
  /** Resolves at once unless the run is paused; else when it goes on, or `signal` aborts. */
  untilResumed(signal: AbortSignal): Promise<void>;
  /** Tells of changes until what it returns is called. */
  listen(onPause: OnPause): () => void;
}

export interface PauseSwitch extends PauseState {
  /** Resolves when everything of the run is held, or goes on. @returns false when something could not be held */
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
      // One after the other: a pause that comes while the last one is let go ends as the last word says.
      const results = last.then(() => notifyListeners(paused));
      last = results.catch(() => undefined);
      return results;
    },
  };
}
