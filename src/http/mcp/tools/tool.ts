// The row shape of a tool: its description for models, its permission, its schemas, and the verb that it calls.
import type { z } from 'zod';
import type { Demand } from '../../../domain/access/permit.ts';
import type { Caller } from '../../../domain/model/access/caller.ts';
import type { IdempotencyKey } from '../../../domain/ports/store/queue.ts';
import type { Built, LongCall, OperationSpec } from '../../pipeline/operation.ts';
import type { ProgressReporter } from './progress-reporter.ts';
import type { PublishedSchema } from './published-schema.ts';

/** The toolsets that a client can select. */
export const toolsets = ['messaging', 'tasks', 'agents', 'codebases', 'discovery', 'ralph', 'prd'] as const;
export type Toolset = (typeof toolsets)[number];

/** The four hints of the protocol, always all present: clients read them before they let a model call a tool. */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** Reads, and changes nothing. */
export const readOnly: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
/** Creates or adds something on each call. */
export const additive: ToolHints = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};
/** Repeated calls have no further effect. */
export const idempotent: ToolHints = { ...additive, idempotentHint: true };
/** Ends or removes something. */
export const destructive: ToolHints = { ...idempotent, destructiveHint: true };

/** The permission that every tool call needs, besides the tool's own. tools-5. */
export const callPermission: Demand = 'mcp:write';

/** The context of a call that a tool may need besides its arguments. */
export interface ToolInvocation {
  readonly idempotency: IdempotencyKey | undefined;
  /** Records that an earlier call with this key created the task. choices-9 */
  readonly markReplayed: () => void;
  /** The codebase that the request selects by its path or header; an argument wins over it. */
  readonly codebaseId: string | undefined;
  /** Scheme and host by which a trusted proxy was reached. */
  readonly forwardedOrigin: string | undefined;
  /** When its signal aborts, the call stops waiting; its task continues. */
  readonly reporter: ProgressReporter;
  readonly longCall: LongCall;
  /** The tools that this caller may use in this request. */
  readonly tools: () => Promise<readonly KnownTool[]>;
}

/** A row as its toolset writes it, with the types of its schemas. */
export interface ToolRow<I extends z.ZodType, O extends z.ZodType> extends OperationSpec {
  /** Characters `[a-z_]`, at most 64. It is the audit action too. */
  readonly name: string;
  readonly title: string;
  /** For models: what the tool does, when to use it, which tool comes next. */
  readonly description: string;
  readonly toolset: Toolset;
  /** Search terms besides the words of its name, title and description. */
  readonly keywords: string;
  /** Needed besides `callPermission`. */
  readonly permission: Demand;
  readonly hints: ToolHints;
  readonly input: I;
  /** The members of the result that a model needs to know; the result may have more. */
  readonly output: O;
  readonly example: z.input<I>;
  /** True for tools that may run long and report progress: clients that accept streams get one. */
  readonly longRunning?: boolean;
  /** True when the result contains text that others wrote. */
  readonly untrusted?: boolean;
  /** Resources with more details of a result. */
  readonly links?: (result: z.output<O>) => readonly ToolLink[];
  readonly run: (caller: Caller, args: z.output<I>, invocation: ToolInvocation) => Promise<z.input<O>>;
}

export interface ToolLink {
  readonly uri: string;
  readonly name: string;
  /** `application/json` by default. */
  readonly mimeType?: string;
}

/** A row with its types erased. Its `run` gets only arguments that its own schema accepted. */
export type Tool = Built<ToolRow<z.ZodType, z.ZodType>>;

/** Builds a row, with its types inferred from its schemas. */
export function tool<I extends z.ZodType, O extends z.ZodType>(row: ToolRow<I, O>): Tool {
  const erased: ToolRow<z.ZodType, z.ZodType> = row;
  return { changes: !row.hints.readOnlyHint, ...erased };
}

/** A tool as `tools/list` returns it. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: PublishedSchema;
  readonly outputSchema: PublishedSchema;
  readonly annotations: ToolHints;
  readonly _meta: { readonly category: string };
  readonly [key: string]: unknown;
}

/** The JSON of `listed` for each tool, joined from the prepared texts. */
export function toolsToJson(tools: readonly KnownTool[]): string {
  return `[${tools.map(({ text }) => text).join(',')}]`;
}

/** A tool in the registry, with its prepared published form. */
export interface KnownTool {
  readonly tool: Tool;
  readonly listed: ListedTool;
  /** `listed` as JSON, serialised once, because lists are requested often and never change. */
  readonly text: string;
  /** The names of its arguments, for "did you mean". */
  readonly argumentNames: readonly string[];
  /** @throws DomainError invalid, with every invalid argument */
  readonly parse: (args: unknown) => unknown;
}
