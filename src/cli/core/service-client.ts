// Calls the service for the command line: the typed client, parsed responses, errors as exit codes.
import type { z } from 'zod';
import { createClient, type SwitchyardClient } from '../../client/client.ts';
import { problem } from '../../contracts/common.ts';
import { CliError } from './cli-error.ts';
import type { Connection } from './connection.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import { tryParseJson } from '../../lib/json/json-text.ts';

export interface CliServiceClient {
  readonly url: string;
  /** The typed client. Pass its calls to `read`, which handles errors and responses. */
  readonly api: SwitchyardClient;
  /**
   * Waits for a call and parses its response. The compiler rejects a shape that does not match the documented response
   * of the call.
   * @throws CliError
   */
  read<Documented, Known extends Documented>(
    call: Promise<{ readonly data?: Documented }>,
    shape: z.ZodType<Known>,
  ): Promise<Known>;
}

const defaultTimeoutMs = 30_000;

export function createCliServiceClient(
  { url, token }: Connection,
  io: { readonly fetch: typeof fetch; readonly version: string },
  /** Milliseconds; longer for slow calls. */
  timeoutMs = defaultTimeoutMs,
): CliServiceClient {
  const agent = { 'user-agent': `switchyard-cli/${io.version}` };

  const send: typeof fetch = async (input, init) => {
    let response: Response;
    try {
      response = await io.fetch(input, init);
    } catch (cause) {
      throw unreachable(url, cause);
    }
    if (response.ok) return response;
    throw responseToCliError(url, response, await response.text().catch(() => ''));
  };

  return {
    url,
    api: createClient({ url, token, headers: { ...agent, accept: 'application/json' }, timeoutMs, fetch: send }),
    async read(call, shape) {
      const { data } = await call.catch((cause: unknown) => {
        if (cause instanceof CliError) throw cause;
        // The head arrived, but the body did not, or it is not JSON.
        throw cause instanceof SyntaxError ? notSwitchyard(url, cause) : unreachable(url, cause);
      });
      const parsed = shape.safeParse(data);
      if (parsed.success) return parsed.data;
      throw notSwitchyard(url, parsed.error);
    },
  };
}

/** The parameters of a call that names one object. */
export function byId(id: string): { readonly params: { readonly path: { readonly id: string } } } {
  return { params: { path: { id } } };
}

function notSwitchyard(url: string, cause: unknown): CliError {
  const message = `${url} answers, but not as a Switchyard service of this version.`;
  return new CliError(exitCodes.unreachable, 'not_switchyard', message, 'Check the address.', { cause });
}

function unreachable(url: string, cause: unknown): CliError {
  const why = cause instanceof Error ? describeFetchError(cause) : String(cause);
  const remedy = 'Start one with `switchyard up`, or name another with --url or SWITCHYARD_URL.';
  return new CliError(exitCodes.unreachable, 'unreachable', `No service at ${url}: ${why}`, remedy, { cause });
}

/** `fetch` reports "fetch failed" and hides the reason in its cause. */
function describeFetchError(error: Error): string {
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
  401: 'Give a valid token with --token-file or SWITCHYARD_TOKEN.',
  403: 'Use a token with a role that has the permission.',
  404: "List what exists with the same command's `list`, e.g. `switchyard task list`.",
};

function responseToCliError(url: string, response: Response, text: string): CliError {
  const { status } = response;
  const parsed = problem.safeParse(tryParseJson(text));
  const detail = parsed.success ? parsed.data.detail : `${url} answered ${status}.`;
  const code = parsed.success ? parsed.data.code : `http_${status}`;
  const exitCode = codeByStatus[status] ?? (status >= 500 ? exitCodes.unreachable : exitCodes.usage);
  const seconds = response.headers.get('retry-after');
  const remedy = seconds === null ? (remedyByStatus[status] ?? '') : `Try again in ${seconds} s.`;
  return new CliError(exitCode, code, detail, remedy);
}
