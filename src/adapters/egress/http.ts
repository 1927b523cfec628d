// Requests through the guard: the address is checked when the connection is made, and the connection goes there.
// No redirect is followed, no proxy of the environment is used, time and size are bounded.
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, errors, request as send, type Dispatcher } from 'undici';
import type { Egress, EgressAnswer, EgressRequest } from '../../domain/ports/egress.ts';
import { EgressRefusal, egressGuard, type EgressGuard, type GuardOptions } from './guard.ts';

const connectMs = 5_000;
/** A receiver may send this many bytes of headers. */
const maxHeaderBytes = 16 * 1024;

export function guardedEgress(options: GuardOptions): Egress {
  const guard = egressGuard(options);
  const stopping = new AbortController();
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
      const timeUp = AbortSignal.timeout(request.timeoutMs);
      try {
        return await answerTo(agent, request, AbortSignal.any([timeUp, request.signal]));
      } catch (error) {
        return failureOf(error, timeUp.aborted);
      }
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await agent.destroy();
    },
  };
}

/** A literal address is checked here; a name when it is looked up, and the connection gets what was checked. */
function guardedConnector(guard: EgressGuard, signal: AbortSignal): buildConnector.connector {
  const lookup: LookupFunction = (host, { all }, found) => {
    // Owned: it never rejects.
    void lookUp(guard, host, signal, (error, addresses) => {
      if (error !== null || all === true) found(error, addresses);
      else found(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 0);
    });
  };
  const connect = buildConnector({ lookup, timeout: connectMs, allowH2: false, autoSelectFamily: true });
  return (options, callback) => {
    try {
      // A name is no address, and goes to the lookup.
      if (/^[\d.]+$/.test(options.hostname) || options.hostname.includes(':')) guard.checkAddress(options.hostname);
    } catch (error) {
      callback(error instanceof Error ? error : new EgressRefusal('refused'), null);
      return;
    }
    connect(options, callback);
  };
}

async function lookUp(
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

async function answerTo(agent: Agent, request: EgressRequest, signal: AbortSignal): Promise<EgressAnswer> {
  const { url, method, headers, body } = request;
  const answer = await send(url, {
    dispatcher: agent,
    method,
    headers,
    signal,
    // The deadline above is the only one.
    headersTimeout: 0,
    bodyTimeout: 0,
    ...(body === undefined ? {} : { body }),
  });
  const contentType = answer.headers['content-type'];
  return {
    outcome: 'answered',
    statusCode: answer.statusCode,
    contentType: Array.isArray(contentType) ? contentType[0] : contentType,
    ...(await bodyOf(answer.body, request.maxAnswerBytes)),
  };
}

/** What arrives up to `maxBytes`; a body that is longer, breaks off or takes too long is not whole. */
async function bodyOf(
  stream: Dispatcher.ResponseData['body'],
  maxBytes: number,
): Promise<{ body: Uint8Array; whole: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      const bytes: Buffer = Buffer.from(chunk);
      chunks.push(bytes.subarray(0, maxBytes - size));
      size += bytes.length;
      // Leaving the loop closes the connection.
      if (size > maxBytes) return { body: Buffer.concat(chunks), whole: false };
    }
    return { body: Buffer.concat(chunks), whole: true };
  } catch {
    // The status has been said: what broke off is the body alone, and that is what the answer tells.
    return { body: Buffer.concat(chunks), whole: false };
  }
}

/** In words of ours: a library's may quote the address, and an address may carry a secret. */
function failureOf(error: unknown, isTimeUp: boolean): EgressAnswer {
  const refusal = refusalIn(error);
  if (refusal !== undefined) return { outcome: 'refused', reason: refusal.message };
  if (isTimeUp || error instanceof errors.ConnectTimeoutError) {
    return { outcome: 'failed', reason: 'no answer within the time' };
  }
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError) {
    return { outcome: 'failed', reason: 'the answer was not HTTP' };
  }
  return { outcome: 'failed', reason: wordsFor(codeOf(error)) };
}

/** A connection that was tried on several addresses fails with several errors. */
function refusalIn(error: unknown): EgressRefusal | undefined {
  if (error instanceof EgressRefusal) return error;
  if (error instanceof AggregateError) return error.errors.map(refusalIn).find((found) => found !== undefined);
  return error instanceof Error && error.cause !== undefined ? refusalIn(error.cause) : undefined;
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function wordsFor(code: string): string {
  if (code === 'ECONNREFUSED') return 'the connection was refused';
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET') return 'the connection broke off';
  if (/^(ENOTFOUND|ENODATA|ESERVFAIL|ETIMEOUT|EAI_)/.test(code)) return 'the host name was not found';
  if (/^(ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|EADDRNOTAVAIL)$/.test(code)) return 'the host cannot be reached';
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_/.test(code)) return 'the TLS connection was refused';
  return 'the request could not be sent';
}
