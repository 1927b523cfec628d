// Progress reports of a running MCP call, and the signal that cancels it.

export interface ProgressReporter {
  /** Aborts when the client disconnects or the service stops. Created on first use, because most calls end before. */
  readonly signal: AbortSignal;
  /** Sends the progress to a client that requested it. @param done grows with each report */
  readonly report: (done: number, message: string) => void;
}

/** For calls whose client requested no progress. A class, for the reason given in request-context.ts. */
export class SilentProgressReporter implements ProgressReporter {
  readonly #signalOf: () => AbortSignal;

  constructor(signalOf: () => AbortSignal) {
    this.#signalOf = signalOf;
  }

  get signal(): AbortSignal {
    return this.#signalOf();
  }

  report(): void {
    // The client requested no progress.
  }
}
