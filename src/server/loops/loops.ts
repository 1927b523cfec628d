// Background loops: each waits for its interval, then ticks, one tick at a time, until it is stopped.
import { sleep } from '../../lib/wait.ts';

export interface LoopState {
  readonly name: string;
  readonly intervalMs: number;
  ticks: number;
  lastTickAt: number | undefined;
  lastError: string | undefined;
}

export interface Loop extends AsyncDisposable {
  readonly state: LoopState;
}

/**
 * Starts a loop. A failed tick is logged and retried at the next interval.
 * @param tick receives a signal that aborts when the loop is stopped
 */
export function startLoop(options: {
  name: string;
  intervalMs: number;
  now: () => number;
  log: (line: string, error: unknown) => void;
  tick: (signal: AbortSignal) => Promise<unknown>;
  /** False: this tick is skipped, because another replica leads the loop. */
  shouldRun?: () => boolean;
}): Loop {
  const stop = new AbortController();
  const state: LoopState = {
    name: options.name,
    intervalMs: options.intervalMs,
    ticks: 0,
    lastTickAt: undefined,
    lastError: undefined,
  };
  const running = run();
  return {
    state,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      await sleep(options.intervalMs, stop.signal, { ref: false });
      if (stop.signal.aborted) return;
      if (options.shouldRun?.() === false) continue;
      try {
        await options.tick(stop.signal);
        state.lastError = undefined;
      } catch (error) {
        state.lastError = error instanceof Error ? error.message : String(error);
        options.log(`the loop ${options.name} failed; will retry`, error);
      }
      state.ticks += 1;
      state.lastTickAt = options.now();
    }
  }
}
