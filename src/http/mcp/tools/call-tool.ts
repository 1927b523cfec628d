// Runs one tool: its arguments checked, its verb called, whatever comes of it put in words for a model.
import type { Caller } from '../../../domain/model/access/caller.ts';
import { DomainError } from '../../../domain/model/errors.ts';
import type { KnownTool, ToolInvocation } from './tool.ts';
import { renderToolError } from './tool-error.ts';
import { toToolResult, type ToolResult } from './tool-result.ts';

export interface ToolCallOutcome {
  readonly result: ToolResult;
  /** Why `result` is an error; undefined where it is none. */
  readonly refusal?: DomainError;
}

/** @throws what is no refusal but a fault of ours */
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
