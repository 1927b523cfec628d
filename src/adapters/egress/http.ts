// Requests through the guard: the address is checked when the connection is made, and the connection goes there.
// No redirect is followed, no proxy of the environment is used, time and size are bounded.
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, errors, type Dispatcher } from 'undici';
import type { Egress, EgressAnswer, EgressRequest } from '../../domain/ports/egress.ts';
import { memoize } from '../../lib/memoize.ts';
import { EgressRefusal, egressGuard, type EgressGuard, type GuardOptions } from './guard.ts';
import { errorCode } from '../../lib/system/error-code.ts';

const connectMs = 5_000;
/** A receiver may send this many bytes of headers. */
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
 * A name is checked when it is looked up, and the connection gets the addresses that were checked. Literal addresses are
 * not looked up: the guard has refused them, as written, before they come here.
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

/** The time is up, or the caller does not want to know any more. */
class EgressStop extends Error {
  override readonly name = 'EgressStop';
}

/**
 * By the library's own handler, not by its streams: half of the CPU time of a request.
 * A status that has been said is an answer, whatever becomes of the body behind it.
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
    const timer = setTimeout(() => stop(new EgressStop('no answer within the time')), timeoutMs);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) return leave();
    const options = { origin, path, method, headers, headersTimeout: 0, bodyTimeout: 0 };
    agent.dispatch(body === undefined ? options : { ...options, body }, {
      onRequestStart(controller) {
        control = controller;
        // It ended while the connection was being made.
        if (stopped !== undefined) controller.abort(stopped);
      },
      onResponseStart(_controller, statusCode, answered) {
        // What comes before the answer itself.
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

/** In words of ours: a library's may quote the address, and an address may carry a secret. */
function toFailure(error: unknown): EgressAnswer {
  const refusal = refusalIn(error);
  if (refusal !== undefined) return { outcome: 'refused', reason: refusal.message };
  if (error instanceof EgressStop) return { outcome: 'failed', reason: error.message };
  if (error instanceof errors.ConnectTimeoutError) return { outcome: 'failed', reason: 'no answer within the time' };
  if (error instanceof errors.HeadersOverflowError) {
    return { outcome: 'failed', reason: 'the headers of the answer are too long' };
  }
  if (error instanceof errors.HTTPParserError) return { outcome: 'failed', reason: 'the answer was not HTTP' };
  return { outcome: 'failed', reason: describeErrorCode(codeOf(error)) };
}

/** A connection that was tried on several addresses fails with several errors. */
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
  // The library asserts what it expects of an answer: a status of 100 and more, no upgrade that nobody asked for.
  if (code === 'ERR_ASSERTION') return 'the answer was not HTTP';
  return 'the request could not be sent';
}
