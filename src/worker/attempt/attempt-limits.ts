// The limits that end an attempt: its time limit, and the patience with an unreachable model. Both clocks stop while
// paused.
import type { AttemptFailure } from '../agents/adapter/adapter.ts';

export interface AttemptLimits extends Disposable {
  /** Aborts when a limit is reached. */
  readonly signal: AbortSignal;
  /** Why the attempt was ended by a limit; undefined: it was not. */
  error(): AttemptFailure | undefined;
  /** The agent waits for its model, with the reason that it gave; undefined: it does not wait. */
  modelWaits(reason: string | undefined): void;
  pause(): void;
  resume(): void;
  /** Milliseconds left of the time limit. */
  leftMs(): number;
}

export interface AttemptLimitOptions {
  readonly agent: { name: string };
  /** Milliseconds left of the time limit. */
  readonly leftMs: number;
  /** The whole limit, for the message. */
  readonly timeoutMs: number;
  readonly modelPatienceMs: number;
}

export function createAttemptLimits({ agent, leftMs, timeoutMs, modelPatienceMs }: AttemptLimitOptions): AttemptLimits {
  const controller = new AbortController();
  let error: AttemptFailure | undefined;
  let left = leftMs;
  let sinceMs = performance.now();
  let limit: NodeJS.Timeout | undefined;
  let patience: NodeJS.Timeout | undefined;
  let waiting: string | undefined;

  function end(why: AttemptFailure): void {
    error ??= why;
    controller.abort();
  }

  function run(): void {
    sinceMs = performance.now();
    limit = setTimeout(
      () => {
        const message = `${agent.name} exceeded its time limit of ${timeoutMs / 1000} s and was ended.`;
        end({ code: 'timeout', message });
      },
      Math.max(0, left),
    );
    if (waiting !== undefined) wait(waiting);
  }

  function wait(reason: string): void {
    patience ??= setTimeout(() => {
      const message = `${agent.name} was ended after ${modelPatienceMs / 1000} s of waiting for its model: ${reason}`;
      end({ code: 'model_unreachable', message });
    }, modelPatienceMs);
  }

  function cancelWait(): void {
    clearTimeout(patience);
    patience = undefined;
  }

  function pause(): void {
    if (limit === undefined) return;
    clearTimeout(limit);
    limit = undefined;
    left -= performance.now() - sinceMs;
    cancelWait();
  }

  run();
  return {
    signal: controller.signal,
    error: () => error,
    modelWaits(reason) {
      waiting = reason;
      if (reason === undefined) cancelWait();
      else if (limit !== undefined) wait(reason);
    },
    pause,
    resume() {
      if (limit === undefined && !controller.signal.aborted) run();
    },
    leftMs: () => (limit === undefined ? left : left - (performance.now() - sinceMs)),
    [Symbol.dispose]() {
      clearTimeout(limit);
      cancelWait();
    },
  };
}
