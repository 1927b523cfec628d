// Settings of the handling of large contexts by the agent `model`: when it begins, and its limits.

export interface RlmSettings {
  /** Whether tasks without `metadata.rlm` use it. */
  readonly enabled: boolean;
  /** The tokens of a request above which long parts move into the REPL. */
  readonly thresholdTokens: number;
  readonly maxSubcallsPerIteration: number;
  readonly maxTotalSubcalls: number;
  /** Blocks of code of one session. */
  readonly maxIterations: number;
  /** 1: `rlm()` is a plain call; above 1 it opens a REPL of its own. */
  readonly maxDepth: number;
  /** Sub-calls of a batch that run at once. */
  readonly maxConcurrency: number;
  /** Tokens of all model calls since the REPL is offered. */
  readonly maxTokens: number;
  /** Seconds since the REPL is offered. */
  readonly maxSeconds: number;
  readonly maxPromptChars: number;
  /** Characters that one block may print. */
  readonly maxOutputChars: number;
  readonly memoryMb: number;
  /** Computing time of one block; the thread is ended at twice of it. */
  readonly blockSeconds: number;
  /** The endpoint's name of the model for sub-calls; undefined: the model of the task. */
  readonly subcallModel: string | undefined;
}

export const defaultRlmSettings: RlmSettings = {
  enabled: false,
  thresholdTokens: 80_000,
  maxSubcallsPerIteration: 5,
  maxTotalSubcalls: 100,
  maxIterations: 20,
  maxDepth: 1,
  maxConcurrency: 4,
  maxTokens: 2_000_000,
  maxSeconds: 900,
  maxPromptChars: 400_000,
  maxOutputChars: 10_000,
  memoryMb: 256,
  blockSeconds: 10,
  subcallModel: undefined,
};
