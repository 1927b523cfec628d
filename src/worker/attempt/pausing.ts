// Whether a run is paused, and who has to be told when that changes.

/** Holds or lets go what belongs to the run. False: it cannot be held here. */
export type OnPause = (paused: boolean) => Promise<boolean>;

export interface Pausing {
  readonly paused: boolean;
  /** Resolves at once unless the run is paused; else when it goes on, or `signal` aborts. */
  whenGoing(signal: AbortSignal): Promise<void>;
  /** Tells of changes until what it returns is called. */
  listen(onPause: OnPause): () => void;
}

export interface PauseSwitch extends Pausing {
  /** Resolves when everything of the run is held, or goes on. @returns false when something could not be held */
  set(paused: boolean): Promise<boolean>;
}

export function createPauseSwitch(): PauseSwitch {
  const listeners = new Set<OnPause>();
  let held: PromiseWithResolvers<void> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function tell(paused: boolean): Promise<boolean> {
    const told = await Promise.all([...listeners].map((listener) => listener(paused)));
    return told.every(Boolean);
  }

  return {
    get paused() {
      return held !== undefined;
    },
    async whenGoing(signal) {
      for (let wait = held; wait !== undefined && !signal.aborted; wait = held) {
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
        held ??= Promise.withResolvers<void>();
      } else {
        held?.resolve();
        held = undefined;
      }
      // One after the other: a pause that comes while the last one is let go ends as the last word says.
      const told = last.then(() => tell(paused));
      last = told.catch(() => undefined);
      return told;
    },
  };
}
