// The only connection to the model's endpoint: its address alone, no redirects, deadlines for silence, a size limit for
// answers.

/** Why an endpoint gave no usable answer. */
export class EndpointError extends Error {
  /** `refused` is permanent; `unreachable` and `malformed` may succeed later, `limited` not within the attempt. */
  readonly kind: 'refused' | 'unreachable' | 'malformed' | 'limited';
  /** For `limited`: seconds until the endpoint accepts requests again. */
  readonly retryAfterSeconds: number;

  constructor(
    kind: EndpointError['kind'],
    message: string,
    options?: ErrorOptions & { readonly retryAfterSeconds?: number },
  ) {
    super(message, options);
    this.retryAfterSeconds = options?.retryAfterSeconds ?? 0;
    this.name = 'EndpointError';
    this.kind = kind;
  }
}

export interface EndpointFetchOptions {
  readonly fetch: typeof fetch;
  /** The configured address; requests to any other are rejected. */
  readonly endpoint: string;
  /** The longest silence, before the answer and within it. */
  readonly idleMs: number;
  /** The longest time that one answer may take. */
  readonly answerMs: number;
  readonly maxAnswerBytes: number;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

interface Watch {
  readonly signal: AbortSignal;
  readonly alive: () => void;
  readonly stop: () => void;
}

/** Aborts with its own reason when `alive` was not called for `idleMs`, or after `answerMs` in total. */
function watch({ idleMs, answerMs }: EndpointFetchOptions): Watch {
  const controller = new AbortController();
  const abortWith = (message: string) => (): void => controller.abort(new EndpointError('unreachable', message));
  const totalTimer = setTimeout(abortWith(`the answer took longer than ${seconds(answerMs)}`), answerMs);
  const idleTimer = setTimeout(abortWith(`no answer within ${seconds(idleMs)}`), idleMs);
  return {
    signal: controller.signal,
    alive: () => void idleTimer.refresh(),
    stop() {
      clearTimeout(totalTimer);
      clearTimeout(idleTimer);
    },
  };
}

/** Passes the body on within its limits of time and size. An abort ends it even when its source does not end. */
function guarded(
  body: ReadableStream<Uint8Array>,
  { signal, alive, stop }: Watch,
  caller: AbortSignal | undefined,
  maxBytes: number,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const ended = AbortSignal.any(caller === undefined ? [signal] : [signal, caller]);
  let count = 0;
  async function finish(): Promise<void> {
    stop();
    // The result of cancelling the source changes nothing any more.
    await reader.cancel().catch(() => undefined);
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const onAbort = (): void => {
        controller.error(ended.reason);
        void finish();
      };
      if (ended.aborted) onAbort();
      else ended.addEventListener('abort', onAbort, { once: true });
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (ended.aborted) return;
      if (done) {
        stop();
        controller.close();
        return;
      }
      alive();
      count += value.byteLength;
      if (count <= maxBytes) controller.enqueue(value);
      else {
        controller.error(new EndpointError('malformed', `the answer is longer than ${maxBytes} bytes`));
        await finish();
      }
    },
    cancel: finish,
  });
}

function isBelow(url: URL, endpoint: URL): boolean {
  const folder = endpoint.pathname.replace(/\/+$/, '');
  return url.origin === endpoint.origin && (url.pathname === folder || url.pathname.startsWith(`${folder}/`));
}

/**
 * Makes the `fetch` for the endpoint. It throws EndpointError for another address, a redirect, silence and endless
 * answers; the reason of the caller's own signal; and what `fetch` throws.
 */
export function createEndpointFetch(options: EndpointFetchOptions): typeof fetch {
  const endpoint = new URL(options.endpoint);
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (!isBelow(url, endpoint)) throw new EndpointError('refused', `${url.origin} is not the configured endpoint`);
    const watched = watch(options);
    const caller = init?.signal ?? undefined;
    const signal = AbortSignal.any(caller === undefined ? [watched.signal] : [watched.signal, caller]);
    try {
      const response = await options.fetch(url, { ...init, redirect: 'manual', signal });
      if (response.status >= 300 && response.status < 400) {
        await response.body?.cancel();
        const reason = `it redirects (${response.status}) and redirects are not followed: configure its final address`;
        throw new EndpointError('refused', reason);
      }
      watched.alive();
      if (response.body === null) {
        watched.stop();
        return response;
      }
      const { status, statusText, headers } = response;
      const body = guarded(response.body, watched, caller, options.maxAnswerBytes);
      return new Response(body, { status, statusText, headers });
    } catch (error) {
      watched.stop();
      // `fetch` may wrap the reason; our own is clearer.
      throw watched.signal.aborted ? watched.signal.reason : error;
    }
  };
}
