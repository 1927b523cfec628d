// What a tool of the built-in agent is, and what it works with.
import type { z } from 'zod';
import type { SandboxedFiles } from '../../sandboxed-fs/files.ts';

export interface ModelToolResult {
  ok: boolean;
  /** What the model is told. */
  text: string;
  /** Ends the run with this question to whoever gave the task. */
  question?: string;
}

/** Runs a command in the work place. */
export type RunShell = (command: string, timeoutMs: number, signal: AbortSignal) => Promise<ModelToolResult>;

export interface ToolContext {
  files: SandboxedFiles;
  /** Undefined when there is no shell: a reading run, or none that is confined. */
  shell: RunShell | undefined;
  signal: AbortSignal;
}

export interface ModelTool {
  name: string;
  description: string;
  input: z.ZodType;
  /** Takes what the model gave, whatever it is. @throws PathRefused, AbortSignal's reason, system errors */
  run(given: unknown, context: ToolContext): Promise<ModelToolResult>;
  /** The one word of a call that tells a person most. */
  subject(given: unknown): string;
}

/** A tool whose input is checked by its own form before it runs; a wrong one is told to the model. */
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
      return { ok: false, text: `${row.name} was not run: ${where}: ${issue?.message ?? 'not as it should be'}` };
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

/** The beginning and the end of a long text: what a model is told of it. */
export function truncateMiddle(text: string): string {
  if (text.length <= maxTextChars) return text;
  const [head, tail] = [text.slice(0, maxTextChars / 3), text.slice((-maxTextChars * 2) / 3)];
  return `${head}\n… ${text.length - maxTextChars} characters left out …\n${tail}`.toWellFormed();
}
