// Calls of the service by the command line: bearer header, deadline, parsed answers, refusals as exit codes.
import type { z } from 'zod';
import { problem } from '../contracts/common.ts';
import { CliError } from './cli-error.ts';
import type { Connection } from './connection.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';

export interface CallOptions<T> {
  readonly answer: z.ZodType<T>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ServiceClient {
  readonly url: string;
  /** @throws CliError */
  call<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, options: CallOptions<T>): Promise<T>;
  /** The bytes of an event stream. @throws CliError */
  open(
    path: string,
    options: { lastEventId: string | undefined; signal: AbortSignal },
  ): Promise<ReadableStream<Uint8Array>>;
}

const deadlineMs = 30_000;

export function createServiceClient(
  { url, token }: Connection,
  io: { readonly fetch: typeof fetch; readonly version: string },
): ServiceClient {
  const common = { authorization: `Bearer ${token}`, 'user-agent': `switchyard-cli/${io.version}` };

  async function send(path: string, init: RequestInit): Promise<Response> {
    let response: Response;
    try {
      response = await io.fetch(`${url}${path}`, { ...init, redirect: 'manual' });
    } catch (cause) {
      throw unreachable(url, cause);
    }
    if (response.ok) return response;
    throw refusal(url, response, await response.text().catch(() => ''));
  }

  return {
    url,
    async call(method, path, { answer, body, headers = {} }) {
      const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
      const response = await send(path, {
        method,
        headers: { ...common, accept: 'application/json', ...json, ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(deadlineMs),
      });
      const text = await response.text().catch((cause: unknown) => {
        throw unreachable(url, cause);
      });
      const parsed = answer.safeParse(parseJson(text));
      if (parsed.success) return parsed.data;
      throw notOurs(url, parsed.error);
    },
    async open(path, { lastEventId, signal }) {
      const head = new AbortController();
      const timer = setTimeout(() => head.abort(), deadlineMs);
      try {
        const resume: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
        const headers = { ...common, accept: 'text/event-stream', ...resume };
        const response = await send(path, { headers, signal: AbortSignal.any([signal, head.signal]) });
        if (response.body === null) throw notOurs(url, undefined);
        return response.body;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function notOurs(url: string, cause: unknown): CliError {
  const message = `${url} answers, but not as a Switchyard service of this version.`;
  return new CliError(exitCodes.unreachable, 'not_switchyard', message, 'Check the address.', { cause });
}

function unreachable(url: string, cause: unknown): CliError {
  const why = cause instanceof Error ? reasonOf(cause) : String(cause);
  const remedy = 'Start one with `switchyard up`, or name another with --url or SWITCHYARD_URL.';
  return new CliError(exitCodes.unreachable, 'unreachable', `No service at ${url}: ${why}`, remedy, { cause });
}

/** fetch says "fetch failed" and hides the reason in its cause. */
function reasonOf(error: Error): string {
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'no answer in time';
  const { cause } = error;
  if (cause instanceof AggregateError && cause.errors[0] instanceof Error) return cause.errors[0].message;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}

const codeByStatus: Readonly<Record<number, ExitCode>> = {
  401: exitCodes.refused,
  403: exitCodes.refused,
  404: exitCodes.notFound,
  409: exitCodes.conflict,
  429: exitCodes.unreachable,
};

const remedyByStatus: Readonly<Record<number, string>> = {
  401: 'Give the right token with --token-file or SWITCHYARD_TOKEN.',
  403: 'Use a token whose role may do this.',
  404: 'See what there is with the `list` of its kind, as `switchyard task list`.',
};

function refusal(url: string, response: Response, text: string): CliError {
  const { status } = response;
  const parsed = problem.safeParse(parseJson(text));
  const detail = parsed.success ? parsed.data.detail : `${url} answered ${status}.`;
  const code = parsed.success ? parsed.data.code : `http_${status}`;
  const exitCode = codeByStatus[status] ?? (status >= 500 ? exitCodes.unreachable : exitCodes.usage);
  const seconds = response.headers.get('retry-after');
  const remedy = seconds === null ? (remedyByStatus[status] ?? '') : `Try again in ${seconds} s.`;
  return new CliError(exitCode, code, detail, remedy);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
