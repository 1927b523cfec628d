// The context of one A2A call, passed through the SDK's handlers: inputs of the call, and results that the SDK drops.
import { ServerCallContext } from '@a2a-js/sdk/server';
import type { Caller } from '../../../domain/model/access/caller.ts';
import type { DomainError } from '../../../domain/model/errors.ts';
import type { IdempotencyKey } from '../../../domain/ports/store/queue.ts';
import type { LongCall } from '../../pipeline/operation.ts';
import type { WireVersion } from '../protocol/versions.ts';

export interface CallInfo extends LongCall {
  readonly caller: Caller;
  readonly wire: WireVersion;
  /** Aborts when the client disconnects, or the service stops. */
  readonly signal: AbortSignal;
  readonly idempotency: IdempotencyKey | undefined;
  readonly lastEventId: string | undefined;
}

/**
 * The SDK passes it unchanged from its transport to our request handler. It never has a tenant: our tenant comes from
 * the credential, and the SDK rejects requests that name one.
 */
export class CallContext extends ServerCallContext {
  readonly info: CallInfo;
  /** JSON pointer to the push config in the params. Starts as that of a send; other methods set their own. */
  pushConfigPath: string;
  /** Sequence number of the frame yielded last. The SDK pulls one frame at a time, so it belongs to that frame. */
  seq = 0;
  #started: PromiseWithResolvers<void> | undefined;
  /** True when a question of the agent does not end the stream. */
  continuesPastQuestions = false;
  /** True when the frame yielded last ends its stream. */
  isLastFrame = false;
  /** True when the call repeats an earlier one, by its idempotency key or by its message's id. */
  replayed = false;
  /** The error to answer when the protocol has none of its own for it; the SDK gets a neutral error instead. */
  failure: DomainError | undefined;

  constructor(info: CallInfo) {
    super({ requestedVersion: info.wire });
    this.info = info;
    const name = info.wire === '1.0' ? 'taskPushNotificationConfig' : 'pushNotificationConfig';
    this.pushConfigPath = `/params/configuration/${name}`;
  }

  /** Resolves when the stream has begun, with or without a frame. */
  get started(): PromiseWithResolvers<void> {
    return (this.#started ??= Promise.withResolvers());
  }
}

/** Narrows the SDK's context to ours. */
export function callContextOf(context: ServerCallContext): CallContext {
  if (context instanceof CallContext) return context;
  throw new Error('the SDK passed a context that is not a CallContext');
}
