// The typed client of the REST operations: paths, parameters, bodies and responses from the service's OpenAPI document.
import createFetchClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './api.ts';

/** Every call has the form `client.GET('/v1/agent/tasks/{id}', { params: { path: { id } } })` and returns `{ data }` or `{ error }`. */
export type SwitchyardClient = Client<paths>;

/** The wire types by name: `Schemas['Task']`, `Schemas['Problem']`. */
export type Schemas = components['schemas'];

export interface ClientOptions {
  /** Address of the service, e.g. `https://switchyard.example`. */
  readonly url: string;
  readonly token: string;
  /** Milliseconds that a call may take; for a stream, until its head arrives. Default 30,000. */
  readonly timeoutMs?: number;
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: typeof globalThis.fetch;
}

const defaultTimeoutMs = 30_000;

/**
 * An error response is returned as `error`, an RFC 9457 problem, and does not throw. Errors of `fetch` are thrown
 * unchanged, including `TimeoutError`. Redirects are not followed: the token is for this address only.
 */
export function createClient(options: ClientOptions): SwitchyardClient {
  const { timeoutMs = defaultTimeoutMs, fetch: send = globalThis.fetch } = options;
  return createFetchClient<paths>({
    baseUrl: options.url.replace(/\/+$/, ''),
    headers: { ...options.headers, authorization: `Bearer ${options.token}` },
    redirect: 'manual',
    fetch: async (request) => fetchWithTimeout(send, request, timeoutMs),
  });
}

async function fetchWithTimeout(send: typeof fetch, request: Request, timeoutMs: number): Promise<Response> {
  if (request.headers.get('accept') !== 'text/event-stream') {
    return send(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]) });
  }
  const head = new AbortController();
  const onTimeout = (): void => head.abort(new DOMException('No answer in time.', 'TimeoutError'));
  const timer = setTimeout(onTimeout, timeoutMs);
  try {
    return await send(request, { signal: AbortSignal.any([request.signal, head.signal]) });
  } finally {
    clearTimeout(timer);
  }
}
