// One call of the tool protocol on its way through: who makes it, what it may see, how it ends.
import type { Caller } from '../../domain/model/caller.ts';
import type { DomainError } from '../../domain/model/errors.ts';
import type { Subset } from './subset.ts';

export interface Visit {
  readonly caller: Caller;
  readonly subset: Subset;
  /** Aborts when the client goes away, and when the service stops. */
  readonly signal: AbortSignal;
  /** The header `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined;
  /** Scheme and host by which a trusted proxy was reached. */
  readonly toldAddress: string | undefined;
  /** Tells a client that asked for it how far the call is. */
  readonly progress: (done: number, message: string) => void;
}

/** What came of a call. */
export interface Outcome {
  readonly result: Record<string, unknown>;
  /** Why a tool's result is an error; undefined where it is none. */
  readonly refusal?: DomainError | undefined;
}
