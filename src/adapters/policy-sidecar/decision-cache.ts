// A bounded cache of policy decisions; the least recently used is evicted first.

interface CachedDecision {
  readonly decision: boolean;
  /** Milliseconds of the same clock as `now`. */
  readonly until: number;
}

export class DecisionCache {
  /** Ordered by last use, the oldest first. */
  readonly #byQuestion = new Map<string, CachedDecision>();
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  /** The decision on exactly this question; undefined when none is cached, or it has expired. */
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
