// The limits that end an attempt: its time limit, and the patience with an unreachable model. Both clocks stop while
// paused.
import type { AttemptFailure } from '../agents/adapter/adapter.ts';

export interface AttemptLimitOptions {
  readonly agent: { readonly name: string };
  /** Milliseconds left of the time limit. */
  readonly leftMs: number;
  /** The whole limit, for the message. */
  readonly timeoutMs: number;
  readonly modelPatienceMs: number;
}

export class AttemptLimits implements Disposable {
  readonly #options: AttemptLimitOptions;
  readonly #controller = new AbortController();
  #error: AttemptFailure | undefined;
  /** Milliseconds that were left of the time limit when the clock last started. */
  #leftMs: number;
  #startedMs = 0;
  /** Set while the clock runs. */
  #limit: NodeJS.Timeout | undefined;
  /** Set while the clock runs and the agent waits for its model. */
  #patience: NodeJS.Timeout | undefined;
  /** The reason that the agent gave for waiting; undefined while it does not wait. */
  #waitingFor: string | undefined;

  /** Starts the clock. */
  constructor(options: AttemptLimitOptions) {
    this.#options = options;
    this.#leftMs = options.leftMs;
    this.#start();
  }

  /** Aborts when a limit is reached. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why the attempt was ended by a limit; undefined: it was not. */
  error(): AttemptFailure | undefined {
    return this.#error;
  }

  /** The agent waits for its model, with the reason that it gave; undefined: it does not wait. */
  modelWaits(reason: string | undefined): void {
    this.#waitingFor = reason;
    if (reason === undefined) this.#endPatience();
    else if (this.#limit !== undefined) this.#startPatience(reason);
  }

  pause(): void {
    if (this.#limit === undefined) return;
    clearTimeout(this.#limit);
    this.#limit = undefined;
    this.#leftMs -= performance.now() - this.#startedMs;
    this.#endPatience();
  }

  resume(): void {
    if (this.#limit === undefined && !this.#controller.signal.aborted) this.#start();
  }

  /** Milliseconds left of the time limit. */
  leftMs(): number {
    return this.#limit === undefined ? this.#leftMs : this.#leftMs - (performance.now() - this.#startedMs);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#limit);
    this.#endPatience();
  }

  #start(): void {
    const { agent, timeoutMs } = this.#options;
    const message = `${agent.name} exceeded its time limit of ${timeoutMs / 1000} s and was ended.`;
    this.#startedMs = performance.now();
    this.#limit = setTimeout(() => this.#end({ code: 'timeout', message }), Math.max(0, this.#leftMs));
    if (this.#waitingFor !== undefined) this.#startPatience(this.#waitingFor);
  }

  #startPatience(reason: string): void {
    const { agent, modelPatienceMs } = this.#options;
    const message = `${agent.name} was ended after ${modelPatienceMs / 1000} s of waiting for its model: ${reason}`;
    this.#patience ??= setTimeout(() => this.#end({ code: 'model_unreachable', message }), modelPatienceMs);
  }

  #endPatience(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
  }

  #end(why: AttemptFailure): void {
    this.#error ??= why;
    this.#controller.abort();
  }
}
