// Abort signals of open calls: each aborts when its client disconnects, and all of them when the service stops.
import type { ServerResponse } from 'node:http';

/** The abort reason after a complete answer, shared by all calls. */
const answeredReason = new DOMException('the call was answered', 'AbortError');

/** Uses one listener for all calls: a combined signal per call would use more memory than the rest of a stream. */
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
      // Aborts after every answer, so that listeners are released. Aborting without a reason would create an error and its stack each time.
      call.abort(response.writableFinished ? answeredReason : undefined);
    };
    response.once('close', close);
    // The connection may have closed already: `close` is not emitted again.
    if (response.closed) close();
    if (this.#stopping.aborted) call.abort(this.#stopping.reason);
    return call.signal;
  }
}
