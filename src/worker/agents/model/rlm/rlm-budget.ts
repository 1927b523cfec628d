// Counts what a session spends against its limits, before each call.
import type { RlmSettings } from './rlm-settings.ts';

/** The settings that limit a session, by the name that a person knows. */
const limitNames = {
  iteration: 'A2A_RLM_MAX_SUBCALLS_PER_ITERATION',
  total: 'A2A_RLM_MAX_TOTAL_SUBCALLS',
  iterations: 'A2A_RLM_MAX_ITERATIONS',
  tokens: 'A2A_RLM_MAX_TOKENS',
  seconds: 'A2A_RLM_MAX_SECONDS',
  prompt: 'A2A_RLM_MAX_PROMPT_CHARS',
} as const;

/** A call that a limit forbids. Code in the REPL can catch it as `LimitError`. */
export class LimitReached extends Error {
  /** The setting. */
  readonly limit: string;
  /** The rest of it. */
  readonly left: number;

  constructor(limit: string, left: number, message: string) {
    super(message);
    this.name = 'LimitReached';
    this.limit = limit;
    this.left = left;
  }
}

export interface RlmBudgetOptions {
  readonly settings: RlmSettings;
  /** Tokens that the attempt itself may still use. */
  readonly runTokensLeft: () => number;
  /** Milliseconds of a clock that never goes back. */
  readonly nowMs: () => number;
}

export class RlmBudget {
  readonly #options: RlmBudgetOptions;
  readonly #openedMs: number;
  #subcalls = 0;
  #tokens = 0;

  constructor(options: RlmBudgetOptions) {
    this.#options = options;
    this.#openedMs = options.nowMs();
  }

  get subcalls(): number {
    return this.#subcalls;
  }

  /** Milliseconds since the session was opened. */
  elapsedMs(): number {
    return this.#options.nowMs() - this.#openedMs;
  }

  addTokens(tokens: number): void {
    this.#tokens += tokens;
  }

  /**
   * Counts sub-calls before they are made: all of them, or none.
   * @param usedInIteration how many this iteration has made already
   * @throws LimitReached
   */
  takeSubcalls(prompts: readonly string[], usedInIteration: number): void {
    const { settings } = this.#options;
    const count = prompts.length;
    const iterationLeft = settings.maxSubcallsPerIteration - usedInIteration;
    if (count > iterationLeft) throw tooMany(limitNames.iteration, settings.maxSubcallsPerIteration, iterationLeft);
    const totalLeft = settings.maxTotalSubcalls - this.#subcalls;
    if (count > totalLeft) throw tooMany(limitNames.total, settings.maxTotalSubcalls, totalLeft);
    const longest = Math.max(0, ...prompts.map(({ length }) => length));
    if (longest > settings.maxPromptChars) {
      const message = `a prompt has ${longest} characters; ${limitNames.prompt} allows ${settings.maxPromptChars}`;
      throw new LimitReached(limitNames.prompt, settings.maxPromptChars, message);
    }
    const spent = this.spentLimit();
    if (spent !== undefined) throw new LimitReached(spent, 0, `${spent} is reached; 0 are left`);
    this.#subcalls += count;
  }

  /** The limit of tokens or time that is reached, if one is. */
  spentLimit(): string | undefined {
    const { settings, runTokensLeft } = this.#options;
    if (this.#tokens >= settings.maxTokens || runTokensLeft() <= 0) return limitNames.tokens;
    return this.elapsedMs() >= settings.maxSeconds * 1000 ? limitNames.seconds : undefined;
  }

  /** The limit that ends a session which has run this many blocks. */
  stopReason(blocks: number): string | undefined {
    return blocks >= this.#options.settings.maxIterations ? limitNames.iterations : this.spentLimit();
  }
}

function tooMany(limit: string, allowed: number, left: number): LimitReached {
  return new LimitReached(limit, left, `${limit} allows ${allowed} sub-calls; ${left} are left`);
}
