// What ends a run of its own accord: its time limit, and a model that stays away. Both clocks stand still in a pause.
import type { RunError } from '../agents/adapter/adapter.ts';

export interface RunLimits extends Disposable {
  /** Aborts when a limit is reached. */
  readonly signal: AbortSignal;
  /** Why the run was ended; undefined while it was not. */
  error(): RunError | undefined;
  /** The agent waits for its model, and what it says about it; undefined: it does not. */
  modelWaits(words: string | undefined): void;
  hold(): void;
  goOn(): void;
  /** Milliseconds of the time limit that are left. */
  leftMs(): number;
}

export interface LimitOptions {
  agent: { name: string };
  /** What is left of the limit. */
  leftMs: number;
  /** The whole limit, for the words. */
  timeoutMs: number;
  modelPatienceMs: number;
}

export function createLimits({ agent, leftMs, timeoutMs, modelPatienceMs }: LimitOptions): RunLimits {
  const controller = new AbortController();
  let error: RunError | undefined;
  let left = leftMs;
  let sinceMs = performance.now();
  let limit: NodeJS.Timeout | undefined;
  let patience: NodeJS.Timeout | undefined;
  let waiting: string | undefined;

  function end(why: RunError): void {
    error ??= why;
    controller.abort();
  }

  function run(): void {
    sinceMs = performance.now();
    limit = setTimeout(
      () => {
        const message = `${agent.name} worked for longer than ${timeoutMs / 1000} s, its time limit, and was ended.`;
        end({ code: 'timeout', message });
      },
      Math.max(0, left),
    );
    if (waiting !== undefined) wait(waiting);
  }

  function wait(words: string): void {
    patience ??= setTimeout(() => {
      const message = `${agent.name} waited ${modelPatienceMs / 1000} s for its model and was ended: ${words}`;
      end({ code: 'model_unreachable', message });
    }, modelPatienceMs);
  }

  function unwait(): void {
    clearTimeout(patience);
    patience = undefined;
  }

  function hold(): void {
    if (limit === undefined) return;
    clearTimeout(limit);
    limit = undefined;
    left -= performance.now() - sinceMs;
    unwait();
  }

  run();
  return {
    signal: controller.signal,
    error: () => error,
    modelWaits(words) {
      waiting = words;
      if (words === undefined) unwait();
      else if (limit !== undefined) wait(words);
    },
    hold,
    goOn() {
      if (limit === undefined && !controller.signal.aborted) run();
    },
    leftMs: () => (limit === undefined ? left : left - (performance.now() - sinceMs)),
    [Symbol.dispose]() {
      clearTimeout(limit);
      unwait();
    },
  };
}
