// What a call of the tool protocol has while it is answered.

export interface ProgressReporter {
  /** Aborts when the client goes away, and when the service stops. Made when asked for: most calls are over before. */
  readonly signal: AbortSignal;
  /** Tells a client that asked for it how far the call is. @param done grows with each call */
  readonly report: (done: number, message: string) => void;
}

/** Of a call whose client asked for no progress. A class, as request-facts.ts says. */
export class SilentProgressReporter implements ProgressReporter {
  readonly #signalOf: () => AbortSignal;

  constructor(signalOf: () => AbortSignal) {
    this.#signalOf = signalOf;
  }

  get signal(): AbortSignal {
    return this.#signalOf();
  }

  report(): void {
    // Nobody asked.
  }
}
