// One A2A call on its way through the SDK's handlers: what we put in, and what we need to know when it comes out.
import { ServerCallContext } from '@a2a-js/sdk/server';
import type { Caller } from '../../../domain/model/access/caller.ts';
import type { DomainError } from '../../../domain/model/errors.ts';
import type { IdempotencyKey } from '../../../domain/ports/store/queue.ts';
import type { LongCall } from '../../pipeline/operation.ts';
import type { WireVersion } from '../protocol/versions.ts';

export interface CallInfo extends LongCall {
  readonly caller: Caller;
  readonly wire: WireVersion;
  /** Aborts when the client goes away, or the service stops. */
  readonly signal: AbortSignal;
  readonly idempotency: IdempotencyKey | undefined;
  readonly lastEventId: string | undefined;
}

/**
 * The SDK hands it from its transport to our request handler as it is. Never with a tenant: ours comes from the
 * credential, and the SDK would refuse requests that name one.
 */
export class CallContext extends ServerCallContext {
  readonly info: CallInfo;
  /** Where the params have the push config, if they have one: that of a send, unless the call sets it otherwise. */
  pushConfigPath: string;
  /** Sequence number of the frame yielded last: the SDK pulls one frame at a time. */
  seq = 0;
  #started: PromiseWithResolvers<void> | undefined;
  /** True when a stream goes on while its task asks something. */
  continuesPastQuestions = false;
  /** True when the frame yielded last ends its stream. */
  isLastFrame = false;
  /** True when an earlier call is answered again: by its idempotency key, or by its message's id. */
  replayed = false;
  /** What was refused or broke in a way that is not the protocol's to say; the SDK has only a neutral error of it. */
  failure: DomainError | undefined;

  constructor(info: CallInfo) {
    super({ requestedVersion: info.wire });
    this.info = info;
    const name = info.wire === '1.0' ? 'taskPushNotificationConfig' : 'pushNotificationConfig';
    this.pushConfigPath = `/params/configuration/${name}`;
  }

  /** When a stream has begun, with or without a frame. */
  get started(): PromiseWithResolvers<void> {
    return (this.#started ??= Promise.withResolvers());
  }
}

/** The context as we made it. */
export function callContextOf(context: ServerCallContext): CallContext {
  if (context instanceof CallContext) return context;
  throw new Error('a call came in without its context');
}
