// Runs a call through one of the SDK's transport handlers, which have the same shape for both versions. Adds what they
// lack: event ids, replay headers, and neutral messages for internal errors.
import type { ServerCallContext } from '@a2a-js/sdk/server';
import type { Caller } from '../../../domain/model/access/caller.ts';
import type { IdempotencyKey } from '../../../domain/ports/store/queue.ts';
import { replayHeaders } from '../../pipeline/idempotency.ts';
import type { RequestContext, RpcAnswer, RpcFrame } from '../../pipeline/operation.ts';
import { CallContext, type CallInfo } from './call-context.ts';
import { rpcErrorFromSdk } from './sdk-errors.ts';
import type { ReceivedCall } from '../protocol/version-adapter.ts';
import type { WireVersion } from '../protocol/versions.ts';

interface SdkEnvelope {
  readonly result?: unknown;
  readonly error?: unknown;
}

export interface SdkTransport {
  readonly version: WireVersion;
  readonly handle: (
    body: Record<string, unknown>,
    context: ServerCallContext,
  ) => Promise<SdkEnvelope | AsyncGenerator<SdkEnvelope, void, undefined>>;
  /** The SDK's error body for an error that our handler threw. */
  readonly errorOf: (error: unknown) => unknown;
  /** Adjusts a frame before it is sent. @param last true for the frame that ends its stream */
  readonly frame: (result: unknown, last: boolean) => unknown;
}

/** @throws RpcError, DomainError */
export async function callSdk(
  transport: SdkTransport,
  method: string,
  caller: Caller,
  received: ReceivedCall,
): Promise<RpcAnswer> {
  const call = createCallContext(transport.version, caller, received.context);
  // The caller of this function writes the real id; this one only has to be valid.
  const answer = await transport.handle({ jsonrpc: '2.0', id: 0, method, params: received.params }, call);
  if (Symbol.asyncIterator in answer) return openStream(transport, answer, call);
  if (call.failure !== undefined) throw call.failure;
  if (answer.error !== undefined) throw rpcErrorFromSdk(answer.error);
  return { result: answer.result, headers: replayHeaders(call.replayed) };
}

export function createCallContext(version: WireVersion, caller: Caller, context: RequestContext): CallContext {
  return new CallContext(new RequestCallInfo(caller, version, context));
}

class RequestCallInfo implements CallInfo {
  readonly caller: Caller;
  readonly wire: WireVersion;
  readonly #request: RequestContext;
  #signal: AbortSignal | undefined;

  constructor(caller: Caller, wire: WireVersion, request: RequestContext) {
    this.caller = caller;
    this.wire = wire;
    this.#request = request;
  }

  /** Created on first use, because most calls end before a client could disconnect. */
  get signal(): AbortSignal {
    return (this.#signal ??= this.#request.signal);
  }

  countAsStream(): void {
    this.#request.countAsStream();
  }

  awaitExternal<T>(work: () => Promise<T>): Promise<T> {
    return this.#request.awaitExternal(work);
  }

  get idempotency(): IdempotencyKey | undefined {
    return this.#request.idempotency;
  }

  get lastEventId(): string | undefined {
    return this.#request.lastEventId;
  }
}

/** The error to answer when our handler threw in a call that did not go through the SDK's transport. */
export function callErrorOf(transport: SdkTransport, call: CallContext, error: unknown): Error {
  return call.failure ?? rpcErrorFromSdk(transport.errorOf(error));
}

/**
 * Pulls the first frame before the answer begins, so that an error is an ordinary answer and the headers can report a
 * replay. A stream that has begun without a frame is not held up.
 */
async function openStream(
  transport: SdkTransport,
  envelopes: AsyncGenerator<SdkEnvelope, void, undefined>,
  call: CallContext,
): Promise<RpcAnswer> {
  const frames = framesFromSdk(transport, envelopes, call);
  const first = frames.next();
  const started = call.started.promise;
  await Promise.race([first, started]);
  return { stream: prependFrame(first, frames), headers: replayHeaders(call.replayed), started };
}

async function* prependFrame(
  first: Promise<IteratorResult<RpcFrame, void>>,
  rest: AsyncGenerator<RpcFrame, void, undefined>,
): AsyncGenerator<RpcFrame, void, undefined> {
  try {
    const { done, value } = await first;
    if (done !== true) yield value;
    yield* rest;
  } finally {
    await rest.return();
  }
}

async function* framesFromSdk(
  transport: SdkTransport,
  envelopes: AsyncGenerator<SdkEnvelope, void, undefined>,
  call: CallContext,
): AsyncGenerator<RpcFrame, void, undefined> {
  try {
    for await (const envelope of envelopes) {
      if ('result' in envelope)
        yield { id: String(call.seq), result: transport.frame(envelope.result, call.isLastFrame) };
    }
  } catch (error) {
    throw callErrorOf(transport, call, error);
  }
}
