// Decisions remembered for a moment: bounded, the least recently used goes first.

interface CachedDecision {
  readonly decision: boolean;
  /** Milliseconds of the same clock as `now`. */
  readonly until: number;
}

export class DecisionCache {
  /** In the order of their last use. */
  readonly #byQuestion = new Map<string, CachedDecision>();
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  /** The decision on this very question; undefined when there is none, or it is too old. */
  get(question: string, now: number): boolean | undefined {
    const found = this.#byQuestion.get(question);
    if (found === undefined) return undefined;
    this.#byQuestion.delete(question);
    if (found.until <= now) return undefined;
    this.#byQuestion.set(question, found);
    return found.decision;
  }

  set(question: string, decision: boolean, until: number): void {
    this.#byQuestion.delete(question);
    this.#byQuestion.set(question, { decision, until });
    if (this.#byQuestion.size <= this.#size) return;
    const [oldest] = this.#byQuestion.keys();
    if (oldest !== undefined) this.#byQuestion.delete(oldest);
  }
}
