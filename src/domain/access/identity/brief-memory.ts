// Remembers an answer for less than a second: so long a revoked credential may still be taken, and no longer.

interface Held<T> {
  readonly value: T;
  readonly until: number;
}

interface UnderWay<T> {
  readonly since: number;
  readonly answer: Promise<Found<T> | undefined>;
}

export interface Found<T> {
  readonly value: T;
  /** Milliseconds from the question on that it holds at most. */
  readonly leftMs: number;
}

/** How long an answer is used, from the moment it was asked for. Half of the second that a revocation may take. */
const holdMs = 500;
const mostHeld = 10_000;

/** Answers by key. What was not found is not remembered; who asks the same meanwhile waits for the same answer. */
export class BriefMemory<T> {
  readonly #held = new Map<string, Held<T>>();
  readonly #underWay = new Map<string, UnderWay<T>>();
  readonly #elapsedMs: () => number;

  /** @param elapsedMs a clock that is never set back */
  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  /** What is remembered of a key, or else found now. @throws what `find` throws, to all who wait for it */
  async get(key: string, find: () => Promise<Found<T> | undefined>): Promise<T | undefined> {
    const now = this.#elapsedMs();
    const held = this.#held.get(key);
    if (held !== undefined && now < held.until) return held.value;
    this.#held.delete(key);
    const asked = this.#underWay.get(key);
    // A question that hangs is not waited for by more and more: its answer would be too old for them.
    const shared = asked !== undefined && now - asked.since < holdMs ? asked : this.#ask(key, now, find);
    return (await shared.answer)?.value;
  }

  /** After this nothing is answered that was asked for before. */
  forgetAll(): void {
    this.#held.clear();
    this.#underWay.clear();
  }

  #ask(key: string, since: number, find: () => Promise<Found<T> | undefined>): UnderWay<T> {
    const asked: UnderWay<T> = {
      since,
      answer: find()
        .then((found) => {
          if (found !== undefined && this.#underWay.get(key) === asked) this.#hold(key, since, found);
          return found;
        })
        .finally(() => {
          if (this.#underWay.get(key) === asked) this.#underWay.delete(key);
        }),
    };
    this.#underWay.set(key, asked);
    return asked;
  }

  #hold(key: string, since: number, { value, leftMs }: Found<T>): void {
    const [oldest] = this.#held.keys();
    if (this.#held.size >= mostHeld && oldest !== undefined) this.#held.delete(oldest);
    this.#held.set(key, { value, until: since + Math.min(holdMs, leftMs) });
  }
}
