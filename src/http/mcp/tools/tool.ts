// The one shape of a tool: what a model is told of it, what it demands, what goes in and out, which verb it calls.
import type { z } from 'zod';
import type { Demand } from '../../../domain/access/permit.ts';
import type { Caller } from '../../../domain/model/access/caller.ts';
import type { IdempotencyKey } from '../../../domain/ports/store/queue.ts';
import type { LongCall } from '../../pipeline/operation.ts';
import type { ProgressReporter } from './progress-reporter.ts';
import type { PublishedSchema } from './published-schema.ts';

/** The sets that a client may narrow its list to. */
export const toolsets = ['messaging', 'tasks', 'agents', 'codebases', 'discovery', 'ralph', 'prd'] as const;
export type Toolset = (typeof toolsets)[number];

/** What a client may assume of a tool before it lets a model call it: the four hints of the protocol, all said. */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** Looks, and changes nothing. */
export const readOnly: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
/** Makes something new each time, or adds to it. */
export const additive: ToolHints = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};
/** Leaves things the same however often it is called. */
export const idempotent: ToolHints = { ...additive, idempotentHint: true };
/** Ends or removes what was there. */
export const destructive: ToolHints = { ...idempotent, destructiveHint: true };

/** What every call of a tool demands, beside the tool's own permission. tools-5. */
export const callPermission: Demand = 'mcp:write';

/** Facts of a call that a tool may need beside its arguments. */
export interface ToolInvocation {
  readonly idempotency: IdempotencyKey | undefined;
  /** Says that the task was made by an earlier call with this key. choices-9 */
  readonly markReplayed: () => void;
  /** The codebase that the request itself names, by its path or header; what an argument says wins. */
  readonly codebaseId: string | undefined;
  /** Scheme and host by which a trusted proxy was reached. */
  readonly forwardedOrigin: string | undefined;
  /** When its signal aborts, what waits ends; no task does. */
  readonly reporter: ProgressReporter;
  readonly longCall: LongCall;
  /** The tools that this caller has in this request. */
  readonly tools: () => Promise<readonly KnownTool[]>;
}

/** A row as its toolset writes it. */
export interface ToolRow<I extends z.ZodType, O extends z.ZodType> {
  /** `[a-z_]`, at most 64; the audit's action too. */
  readonly name: string;
  readonly title: string;
  /** For a model: what it does, when to use it, what comes next. */
  readonly description: string;
  readonly toolset: Toolset;
  /** Words by which one may look for it, beside those it shows. */
  readonly keywords: string;
  /** Beside `callDemand`. */
  readonly permission: Demand;
  readonly hints: ToolHints;
  readonly input: I;
  /** What comes back, as far as a model needs to know; more members may come. */
  readonly output: O;
  readonly example: z.input<I>;
  /** True for tools that create a task: they take `Idempotency-Key`. */
  readonly createsTask?: boolean;
  /** True for tools that may take their time and tell of it: their answer is a stream for clients that take one. */
  readonly longRunning?: boolean;
  /** True where the result holds text that others wrote. */
  readonly untrusted?: boolean;
  /** Resources that tell more of a result. */
  readonly links?: (result: z.output<O>) => readonly ToolLink[];
  readonly run: (caller: Caller, args: z.output<I>, invocation: ToolInvocation) => Promise<z.input<O>>;
}

export interface ToolLink {
  readonly uri: string;
  readonly name: string;
  /** JSON unless told otherwise. */
  readonly mimeType?: string;
}

/** A row whose types are forgotten: its `run` gets what its own schema let through. */
export type Tool = ToolRow<z.ZodType, z.ZodType>;

/** Writes a row with its types worked out from its schemas. */
export function tool<I extends z.ZodType, O extends z.ZodType>(row: ToolRow<I, O>): Tool {
  return row;
}

/** A tool as a list shows it. */
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

/** The list of tools as JSON: the same as of their `listed`. */
export function toolsToJson(tools: readonly KnownTool[]): string {
  return `[${tools.map(({ text }) => text).join(',')}]`;
}

/** A tool that stands in the registry. */
export interface KnownTool {
  readonly tool: Tool;
  readonly listed: ListedTool;
  /** `listed` as JSON: lists are asked for often, and never change. */
  readonly text: string;
  /** Names that its arguments may have, for "did you mean". */
  readonly argumentNames: readonly string[];
  /** @throws DomainError invalid, with every fault of the arguments */
  readonly parse: (args: unknown) => unknown;
}
