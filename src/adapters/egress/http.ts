// HTTP requests through the egress guard: addresses are checked when a connection is made, and it uses exactly these.
// Redirects are not followed, proxies of the environment are not used, time and size are bounded.
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, errors, type Dispatcher } from 'undici';
import type { Egress, EgressAnswer, EgressRequest } from '../../domain/ports/egress.ts';
import { memoize } from '../../lib/memoize.ts';
import { EgressRefusal, egressGuard, type EgressGuard, type GuardOptions } from './guard.ts';
import { errorCode } from '../../lib/system/error-code.ts';

const connectMs = 5_000;
/** Most bytes of headers in a response. */
const maxHeaderBytes = 16 * 1024;
const rememberedAddresses = 512;

export function guardedEgress(options: GuardOptions): Egress {
  const guard = egressGuard(options);
  const stopping = new AbortController();
  const partsOf = memoize(rememberedAddresses, (url) => {
    const { origin, pathname, search } = new URL(url);
    return { origin, path: `${pathname}${search}` };
  });
  const agent = new Agent({
    connect: guardedConnector(guard, stopping.signal),
    allowH2: false,
    maxHeaderSize: maxHeaderBytes,
    pipelining: 1,
  });
  return {
    refusal: (url) => guard.refusal(url),
    async send(request) {
      const refusal = guard.refusal(request.url);
      if (refusal !== undefined) return { outcome: 'refused', reason: `The address ${refusal}.` };
      try {
        return await sendRequest(agent, partsOf(request.url), request);
      } catch (error) {
        return toFailure(error);
      }
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await agent.destroy();
    },
  };
}

/**
 * Checks a host when it is looked up, and gives the connection the checked addresses. Literal addresses are not looked
 * up: the guard has judged them as written before.
 */
function guardedConnector(guard: EgressGuard, signal: AbortSignal): buildConnector.connector {
  const lookup: LookupFunction = (host, { all }, found) => {
    // Owned: it never rejects.
    void resolveThroughGuard(guard, host, signal, (error, addresses) => {
      if (error !== null || all === true) found(error, addresses);
      else found(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 0);
    });
  };
  return buildConnector({ lookup, timeout: connectMs, allowH2: false, autoSelectFamily: true });
}

async function resolveThroughGuard(
  guard: EgressGuard,
  host: string,
  signal: AbortSignal,
  found: (error: Error | null, addresses: LookupAddress[]) => void,
): Promise<void> {
  let addresses: readonly LookupAddress[];
  try {
    addresses = await guard.addressesOf(host, signal);
  } catch (error) {
    found(error instanceof Error ? error : new Error('the host name was not found', { cause: error }), []);
    return;
  }
  found(null, [...addresses]);
}

/** The request timed out, was cancelled, or its response is unusable. */
class EgressStop extends Error {
  override readonly name = 'EgressStop';
}

/**
 * Uses the library's own handler, not its streams: half of the CPU time of a request.
 * Once a status has arrived the request counts as answered, whatever happens to the body.
 */
function sendRequest(
  agent: Agent,
  { origin, path }: { readonly origin: string; readonly path: string },
  request: EgressRequest,
): Promise<EgressAnswer> {
  const { method, headers, body, timeoutMs, maxAnswerBytes, signal } = request;
  return new Promise((resolve, reject) => {
    let control: Dispatcher.DispatchController | undefined;
    let status: { statusCode: number; contentType: string | undefined } | undefined;
    const chunks: Buffer[] = [];
    let size = 0;
    let stopped: Error | undefined;
    const end = (complete: boolean, error?: Error): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
      if (status === undefined) reject(error ?? new EgressStop('the answer was not HTTP'));
      else resolve({ outcome: 'answered', ...status, body: Buffer.concat(chunks), complete });
    };
    const stop = (error: Error): void => {
      stopped = error;
      end(false, error);
      control?.abort(error);
    };
    const leave = (): void => stop(new EgressStop('the service stops'));
    const timer = setTimeout(() => stop(new EgressStop('no answer in time')), timeoutMs);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) return leave();
    const options = { origin, path, method, headers, headersTimeout: 0, bodyTimeout: 0 };
    agent.dispatch(body === undefined ? options : { ...options, body }, {
      onRequestStart(controller) {
        control = controller;
        // The request ended while its connection was being made.
        if (stopped !== undefined) controller.abort(stopped);
      },
      onResponseStart(_controller, statusCode, answered) {
        // An informational response precedes the response itself.
        if (statusCode < 200) return;
        const type = answered['content-type'];
        status = { statusCode, contentType: Array.isArray(type) ? type[0] : type };
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk.subarray(0, Math.max(0, maxAnswerBytes - size)));
        size += chunk.length;
        if (size > maxAnswerBytes) stop(new EgressStop('the answer is too long'));
      },
      onResponseEnd: () => end(true),
      onResponseError: (_controller, error) => end(false, error),
    });
  });
}

/** Describes the failure in fixed texts: a library's message may quote the URL, which may hold a secret. */
function toFailure(error: unknown): EgressAnswer {
  const refusal = refusalIn(error);
  if (refusal !== undefined) return { outcome: 'refused', reason: refusal.message };
  if (error instanceof EgressStop) return { outcome: 'failed', reason: error.message };
  if (error instanceof errors.ConnectTimeoutError) return { outcome: 'failed', reason: 'no answer in time' };
  if (error instanceof errors.HeadersOverflowError) {
    return { outcome: 'failed', reason: 'the headers of the answer are too long' };
  }
  if (error instanceof errors.HTTPParserError) return { outcome: 'failed', reason: 'the answer was not HTTP' };
  return { outcome: 'failed', reason: describeErrorCode(codeOf(error)) };
}

/** Searches all errors: a connection attempt on several addresses fails with several. */
function refusalIn(error: unknown): EgressRefusal | undefined {
  if (error instanceof EgressRefusal) return error;
  if (error instanceof AggregateError) return error.errors.map(refusalIn).find((found) => found !== undefined);
  return error instanceof Error && error.cause !== undefined ? refusalIn(error.cause) : undefined;
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return errorCode(error) ?? '';
}

function describeErrorCode(code: string): string {
  if (code === 'ECONNREFUSED') return 'the connection was refused';
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET') return 'the connection broke off';
  if (/^(ENOTFOUND|EBADNAME|ENODATA|ESERVFAIL|ETIMEOUT|EAI_)/.test(code)) return 'the host name was not found';
  if (/^(ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|EADDRNOTAVAIL)$/.test(code)) return 'the host cannot be reached';
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_/.test(code)) return 'the TLS connection was refused';
  // The library asserts its expectations: a status of at least 100, no upgrade that was not requested.
  if (code === 'ERR_ASSERTION') return 'the answer was not HTTP';
  return 'the request could not be sent';
}
