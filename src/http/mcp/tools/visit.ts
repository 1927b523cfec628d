// One call of the tool protocol on its way through: who makes it, what it may see, how it ends.
import type { Caller } from '../../../domain/model/access/caller.ts';
import type { DomainError } from '../../../domain/model/errors.ts';
import type { LongCall } from '../../pipeline/operation.ts';
import type { Live } from './live.ts';
import type { Subset } from './subset.ts';

export interface Visit {
  readonly caller: Caller;
  readonly subset: Subset;
  /** The header `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined;
  /** Scheme and host by which a trusted proxy was reached. */
  readonly toldAddress: string | undefined;
  readonly live: Live;
  readonly long: LongCall;
}

/** What came of a call. */
export interface Outcome {
  readonly result: Record<string, unknown>;
  /** `result` as JSON, where it was written beforehand. */
  readonly text?: string | undefined;
  /** Why a tool's result is an error; undefined where it is none. */
  readonly refusal?: DomainError | undefined;
  /** True where an earlier call with this idempotency key made the task. */
  readonly replayed?: boolean;
}

/** A result as JSON. @param more members beside, or in place of, those it has */
export function resultText({ result, text }: Outcome, more?: Readonly<Record<string, unknown>>): string {
  if (text === undefined) return JSON.stringify(more === undefined ? result : { ...result, ...more });
  return more === undefined ? text : `${text.slice(0, -1)},${JSON.stringify(more).slice(1)}`;
}
