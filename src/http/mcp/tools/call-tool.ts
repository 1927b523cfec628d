// Runs one tool: validates its arguments, calls its verb, and renders the result or the error for a model.
import type { Caller } from '../../../domain/model/access/caller.ts';
import { DomainError } from '../../../domain/model/errors.ts';
import type { KnownTool, ToolInvocation } from './tool.ts';
import { renderToolError } from './tool-error.ts';
import { toToolResult, type ToolResult } from './tool-result.ts';

export interface ToolCallOutcome {
  readonly result: ToolResult;
  /** The error that `result` reports; undefined for a success. */
  readonly refusal?: DomainError;
}

/** @throws internal errors; every other error is the outcome's `refusal` */
export async function callTool(
  known: KnownTool,
  caller: Caller,
  args: Readonly<Record<string, unknown>>,
  invocation: ToolInvocation,
): Promise<ToolCallOutcome> {
  try {
    const parsed = known.parse(args);
    return { result: toToolResult(known.tool, await known.tool.run(caller, parsed, invocation)) };
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind === 'internal') throw error;
    return { result: renderToolError(known, error, args), refusal: error };
  }
}
