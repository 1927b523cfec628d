// One HTTP call: bearer header, deadline, and an answer that is either parsed or a typed error.
import { z } from 'zod';
import { problem } from '../../contracts/common.ts';
import { ServiceRefusal, ServiceUnreachable } from '../base/service-error.ts';
import { tryParseJson } from '../../lib/json/json-text.ts';

export interface WorkerTransportOptions {
  /** Base address of the service, with a path prefix if it has one. */
  readonly serverUrl: string;
  readonly token: string;
  readonly fetch: typeof fetch;
  readonly userAgent: string;
}

interface Call<T> {
  readonly answer: z.ZodType<T>;
  /** For a small body; a large one has more time, because the connection may be slow. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly headers?: Record<string, string>;
}

interface Open {
  readonly headers: Record<string, string>;
  /** Deadline for the head of the answer; its body has none. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * The assumed least speed of a connection: 16 MiB of events get 48 seconds more. A call on a half-open connection still
 * fails within a minute.
 */
const charactersInMs = 350;

export interface WorkerTransport {
  get<T>(path: string, options: Call<T>): Promise<T>;
  post<T>(path: string, body: unknown, options: Call<T>): Promise<T>;
  open(path: string, options: Open): Promise<AsyncIterable<Uint8Array>>;
  /** The whole body, whatever its type. */
  download(path: string, options: Pick<Call<never>, 'timeoutMs' | 'signal'>): Promise<Buffer>;
}

/** @throws ServiceRefusal when the service rejects the call, ServiceUnreachable without a readable answer */
export function createWorkerTransport(options: WorkerTransportOptions): WorkerTransport {
  const base = new URL(options.serverUrl.endsWith('/') ? options.serverUrl : `${options.serverUrl}/`);
  const headers = { authorization: `Bearer ${options.token}`, 'user-agent': options.userAgent };

  async function send(call: string, path: string, init: RequestInit & { signal: AbortSignal }): Promise<Response> {
    try {
      // A redirect would turn a POST into a GET and drop the credential, so its target is reported instead.
      const response = await options.fetch(new URL(path, base), { ...init, redirect: 'manual' });
      if (response.ok) return response;
      throw await refusal(call, response);
    } catch (error) {
      throw error instanceof ServiceRefusal ? error : unreachable(call, init.signal, error);
    }
  }

  async function ask<T>(
    path: string,
    init: { method: 'GET' } | { method: 'POST'; body: string },
    { answer, timeoutMs, signal, headers: extra }: Call<T>,
  ): Promise<T> {
    const call = `${init.method} /${path}`;
    const deadline = AbortSignal.timeout(timeoutMs);
    const bounded = AbortSignal.any([deadline, ...(signal === undefined ? [] : [signal])]);
    const given = { ...headers, ...extra, accept: 'application/json' };
    const sent = 'body' in init ? { ...given, 'content-type': 'application/json' } : given;
    const response = await send(call, path, { ...init, signal: bounded, headers: sent });
    const answered = await response.text().catch((error: unknown) => {
      throw unreachable(call, bounded, error);
    });
    const parsed = answer.safeParse(tryParseJson(answered));
    if (parsed.success) return parsed.data;
    throw new ServiceUnreachable(call, 'the answer does not match the worker protocol', { cause: parsed.error });
  }

  return {
    async download(path, { timeoutMs, signal }) {
      const call = `GET /${path}`;
      const bounded = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])]);
      const response = await send(call, path, { headers, signal: bounded });
      try {
        return Buffer.from(await response.arrayBuffer());
      } catch (error) {
        throw unreachable(call, bounded, error);
      }
    },
    get: (path, how) => ask(path, { method: 'GET' }, how),
    post(path, body, how) {
      const text = JSON.stringify(body);
      const timeoutMs = how.timeoutMs + Math.ceil(text.length / charactersInMs);
      return ask(path, { method: 'POST', body: text }, { ...how, timeoutMs });
    },
    async open(path, { headers: extra, timeoutMs, signal }) {
      const call = 'GET /v1/worker/tasks/stream';
      const head = new AbortController();
      const timer = setTimeout(() => head.abort(new Error(`no answer in ${timeoutMs} ms`)), timeoutMs);
      try {
        const ended = AbortSignal.any([signal, head.signal]);
        const wanted = { ...headers, ...extra, accept: 'text/event-stream' };
        const response = await send(call, path, { headers: wanted, signal: ended });
        if (response.body === null) throw new ServiceUnreachable(call, 'the answer has no body');
        return response.body;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

async function refusal(call: string, response: Response): Promise<ServiceRefusal> {
  const parsed = problem.safeParse(tryParseJson(await response.text()));
  const location = response.headers.get('location');
  const detail = location === null ? `the service answered ${response.status}` : `the service redirects to ${location}`;
  return new ServiceRefusal(call, {
    status: response.status,
    code: parsed.success ? parsed.data.code : 'unknown',
    detail: parsed.success ? withPaths(parsed.data) : detail,
    expected: parsed.success ? parsed.data.expected : undefined,
    ...readRetryAfter(response.headers.get('retry-after')),
  });
}

function withPaths({ detail, errors = [] }: z.infer<typeof problem>): string {
  return [detail, ...errors.map(({ path, message }) => `${path}: ${message}`)].join('; ');
}

/** Seconds, as our service sends them; the date form is for caches and is ignored. RFC 9110 §10.2.3. */
function readRetryAfter(value: string | null): { retryAfterMs?: number } {
  const seconds = value === null ? Number.NaN : Number(value);
  return Number.isFinite(seconds) && seconds >= 0 ? { retryAfterMs: seconds * 1000 } : {};
}

function unreachable(call: string, signal: AbortSignal, cause: unknown): ServiceUnreachable {
  const reason: unknown = signal.reason;
  const timedOut = signal.aborted && reason instanceof Error && reason.name === 'TimeoutError';
  if (timedOut) return new ServiceUnreachable(call, 'no answer in time', { cause });
  return new ServiceUnreachable(call, signal.aborted ? 'given up' : 'the service cannot be reached', { cause });
}
