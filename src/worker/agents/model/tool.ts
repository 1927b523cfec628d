// The contract of a tool of the built-in agent, and its context.
import type { z } from 'zod';
import type { AgentQuestion } from '../adapter/adapter.ts';
import type { SandboxedFiles } from '../../sandboxed-fs/files.ts';

export interface ModelToolResult {
  readonly ok: boolean;
  /** The result for the model. */
  readonly text: string;
  /** Ends the attempt with this question to the task's author. */
  readonly question?: AgentQuestion;
  /** Ends the attempt with this answer. */
  readonly answer?: string;
}

/** Runs a command in the workspace. */
export type RunShell = (command: string, timeoutMs: number, signal: AbortSignal) => Promise<ModelToolResult>;

export interface ToolContext {
  readonly files: SandboxedFiles;
  /** Undefined without a shell: a reading attempt, or no confinement on this machine. */
  readonly shell: RunShell | undefined;
  readonly signal: AbortSignal;
}

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType;
  /** Takes the model's input, unchecked. @throws PathRefused, AbortSignal's reason, system errors */
  run(given: unknown, context: ToolContext): Promise<ModelToolResult>;
  /** The most informative argument of a call. */
  subject(given: unknown): string;
}

/** Defines a tool whose input is validated before it runs; the model gets the validation error. */
export function defineTool<T>(row: {
  name: string;
  description: string;
  input: z.ZodType<T>;
  run(input: T, context: ToolContext): Promise<ModelToolResult>;
  subject(input: T): string;
}): ModelTool {
  return {
    name: row.name,
    description: row.description,
    input: row.input,
    async run(given, context) {
      const parsed = row.input.safeParse(given);
      if (parsed.success) return row.run(parsed.data, context);
      const [issue] = parsed.error.issues;
      const where = issue?.path.join('.') || 'the input';
      return { ok: false, text: `${row.name} was not run: ${where}: ${issue?.message ?? 'invalid input'}` };
    },
    subject(given) {
      const parsed = row.input.safeParse(given);
      return parsed.success ? row.subject(parsed.data) : '';
    },
  };
}

export function succeeded(text: string): ModelToolResult {
  return { ok: true, text };
}

const maxTextChars = 30_000;

/** Shortens a long text for the model to its beginning and its end. */
export function truncateMiddle(text: string): string {
  if (text.length <= maxTextChars) return text;
  const [head, tail] = [text.slice(0, maxTextChars / 3), text.slice((-maxTextChars * 2) / 3)];
  return `${head}\n… ${text.length - maxTextChars} characters left out …\n${tail}`.toWellFormed();
}
