// The pause of an attempt, and its listeners.
import { unlessAborted } from '../../lib/wait.ts';

/** Pauses or resumes a part of the attempt. False: that part cannot be paused here. */
export type OnPause = (paused: boolean) => Promise<boolean>;

export interface PauseState {
  readonly paused: boolean;
  /** Resolves at once unless the attempt is paused; then when it resumes, or `signal` aborts. */
  untilResumed(signal: AbortSignal): Promise<void>;
  /** Calls `onPause` at each change. @returns a function that removes the listener */
  listen(onPause: OnPause): () => void;
}

export class PauseSwitch implements PauseState {
  readonly #listeners = new Set<OnPause>();
  /** Resolves at the next resume; undefined unless paused. */
  #resumed: PromiseWithResolvers<void> | undefined;
  /** Resolves when the last change has reached every listener. */
  #last: Promise<unknown> = Promise.resolve();

  get paused(): boolean {
    return this.#resumed !== undefined;
  }

  async untilResumed(signal: AbortSignal): Promise<void> {
    while (this.#resumed !== undefined && !signal.aborted) await unlessAborted(this.#resumed.promise, signal);
  }

  listen(onPause: OnPause): () => void {
    this.#listeners.add(onPause);
    return () => this.#listeners.delete(onPause);
  }

  /** Resolves when every part is paused or resumed. @returns false when a part could not be paused */
  set(paused: boolean): Promise<boolean> {
    if (paused) {
      this.#resumed ??= Promise.withResolvers<void>();
    } else {
      this.#resumed?.resolve();
      this.#resumed = undefined;
    }
    // Changes run one after the other, so that the last call decides.
    const results = this.#last.then(() => this.#notifyListeners(paused));
    this.#last = results.catch(() => undefined);
    return results;
  }

  async #notifyListeners(paused: boolean): Promise<boolean> {
    const results = await Promise.all([...this.#listeners].map((listener) => listener(paused)));
    return results.every(Boolean);
  }
}
