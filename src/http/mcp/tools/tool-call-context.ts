// One call of the tool protocol on its way through: who makes it, what it may see, how it ends.
import type { Caller } from '../../../domain/model/access/caller.ts';
import type { DomainError } from '../../../domain/model/errors.ts';
import type { LongCall } from '../../pipeline/operation.ts';
import type { ProgressReporter } from './progress-reporter.ts';
import type { ToolSubset } from './tool-subset.ts';

export interface ToolCallContext {
  readonly caller: Caller;
  readonly subset: ToolSubset;
  /** The header `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined;
  /** Scheme and host by which a trusted proxy was reached. */
  readonly forwardedOrigin: string | undefined;
  readonly reporter: ProgressReporter;
  readonly longCall: LongCall;
}

/** What came of a call. */
export interface McpOutcome {
  readonly result: Record<string, unknown>;
  /** `result` as JSON, where it was written beforehand. */
  readonly text?: string | undefined;
  /** Why a tool's result is an error; undefined where it is none. */
  readonly refusal?: DomainError | undefined;
  /** True where an earlier call with this idempotency key made the task. */
  readonly replayed?: boolean;
}

/** A result as JSON. @param more members beside, or in place of, those it has */
export function serializeResult({ result, text }: McpOutcome, more?: Readonly<Record<string, unknown>>): string {
  if (text === undefined) return JSON.stringify(more === undefined ? result : { ...result, ...more });
  return more === undefined ? text : `${text.slice(0, -1)},${JSON.stringify(more).slice(1)}`;
}
