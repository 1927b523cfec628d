// The typed client of the REST families: paths, parameters, bodies and answers as the service's own document has them.
import createFetchClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './api.ts';

/** Every call as `client.GET('/v1/agent/tasks/{id}', { params: { path: { id } } })`, answering `{ data }` or `{ error }`. */
export type SwitchyardClient = Client<paths>;

/** The wire's nouns by name: `Schemas['Task']`, `Schemas['Problem']`. */
export type Schemas = components['schemas'];

export interface ClientOptions {
  /** Of the service, as `https://switchyard.example`. */
  readonly url: string;
  readonly token: string;
  /** Milliseconds that a call may take; a stream, until its head is there. 30,000 unless told otherwise. */
  readonly timeoutMs?: number;
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: typeof globalThis.fetch;
}

const defaultTimeoutMs = 30_000;

/**
 * A refusal is no exception: it is the answer's `error`, an RFC 9457 problem. What `fetch` throws is thrown on, a
 * `TimeoutError` among it. Redirects are not followed: the token is for this address alone.
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
