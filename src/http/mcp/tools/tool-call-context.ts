// The context and the outcome of one MCP call.
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

export interface McpOutcome {
  readonly result: Record<string, unknown>;
  /** `result` as JSON, when it was serialised beforehand. */
  readonly text?: string | undefined;
  /** The error that a tool's result reports; undefined for a success. */
  readonly refusal?: DomainError | undefined;
  /** True when an earlier call with this idempotency key created the task. */
  readonly replayed?: boolean;
}

/** A result as JSON. @param more members to add or replace */
export function serializeResult({ result, text }: McpOutcome, more?: Readonly<Record<string, unknown>>): string {
  if (text === undefined) return JSON.stringify(more === undefined ? result : { ...result, ...more });
  return more === undefined ? text : `${text.slice(0, -1)},${JSON.stringify(more).slice(1)}`;
}
