// Calls that may be left before they are over: each has a signal, and all of them abort when the service stops.
import type { ServerResponse } from 'node:http';

/** Why signals of answers that are whole abort: one for all. */
const answeredReason = new DOMException('the call was answered', 'AbortError');

/** One listener for all: a signal combined for each call would cost a stream more than the rest of what it holds. */
export class OpenCalls {
  readonly #stopping: AbortSignal;
  readonly #open = new Set<AbortController>();

  constructor(stopping: AbortSignal) {
    this.#stopping = stopping;
    stopping.addEventListener('abort', () => {
      for (const call of this.#open) call.abort(stopping.reason);
    });
  }

  /** Aborts when the connection closes before the answer is complete, and when the service stops. */
  signalOf(response: ServerResponse): AbortSignal {
    const call = new AbortController();
    this.#open.add(call);
    const close = (): void => {
      this.#open.delete(call);
      // What listens is let go in any case; an abort without a reason makes an error with its stack, for each answer.
      call.abort(response.writableFinished ? answeredReason : undefined);
    };
    response.once('close', close);
    // Gone while its body was looked at: there is no second `close`.
    if (response.closed) close();
    if (this.#stopping.aborted) call.abort(this.#stopping.reason);
    return call.signal;
  }
}
