// The toolset discovery: search for tools, and read the schema of one. tools-4.2.
import { z } from 'zod';
import { DomainError } from '../../../domain/model/errors.ts';
import { findClosest } from '../../../lib/text/find-closest.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';
import { isObject } from '../../wire/rpc-envelope.ts';
import { searchTools } from '../tools/search-tools.ts';
import { listArguments, nextCursor } from '../tools/tool-schemas.ts';
import { readOnly, tool, toolsets, type KnownTool, type Tool, type ToolHints } from '../tools/tool.ts';

const details = ['name', 'summary', 'full'] as const;

export function discoveryTools(): Tool[] {
  return [searchTool(), schemaTool()];
}

function searchTool(): Tool {
  return tool({
    name: 'search_tools',
    title: 'Search the tools',
    description:
      'Search the tools for a job by words, best first. detail: name, summary (default), or full with the schemas. ' +
      'Then call get_tool_schema, or the tool itself.',
    toolset: 'discovery',
    keywords: 'find look help which capability function',
    permission: 'any_credential',
    hints: readOnly,
    input: z.strictObject({
      query: z.string().max(500).describe('words for what you want to do'),
      category: z.enum(toolsets).optional(),
      detail: z.enum(details).default('summary'),
      ...listArguments,
    }),
    output: z.looseObject({
      tools: z.array(z.looseObject({ name: z.string() })),
      total: z.int(),
      categories: z.array(z.string()),
      next_cursor: nextCursor,
    }),
    example: { query: 'cancel a running job' },
    run: async (_caller, args, invocation) => {
      const all = await invocation.tools();
      const within = all.filter(({ tool: { toolset } }) => args.category === undefined || toolset === args.category);
      const found = searchTools(within, args.query).map(({ known }) => known);
      const from = Number(parsePage(args, 'text').before ?? 0);
      const page = found.slice(from, from + args.limit);
      const end = from + page.length;
      return {
        tools: page.map((known) => toolToWire(known, args.detail)),
        total: found.length,
        categories: [...new Set(all.map(({ tool: { toolset } }) => toolset))],
        next_cursor: end < found.length ? encodeCursor(String(end)) : null,
      };
    },
  });
}

type Detail = (typeof details)[number];

function toolToWire({ tool: row, listed }: KnownTool, detail: Detail): { name: string; [key: string]: unknown } {
  const { name, title, toolset, description } = row;
  if (detail === 'name') return { name };
  if (detail === 'full') return listed;
  return { name, title, category: toolset, description };
}

function schemaTool(): Tool {
  return tool({
    name: 'get_tool_schema',
    title: 'Get the schema of a tool',
    description: 'Get the arguments and result of one tool: its JSON Schemas, hints, permission, and an example.',
    toolset: 'discovery',
    keywords: 'parameters arguments input output help usage',
    permission: 'any_credential',
    hints: readOnly,
    input: z.strictObject({ tool_name: z.string().min(1).max(200) }),
    output: z.looseObject({
      name: z.string(),
      inputSchema: z.looseObject({}),
      outputSchema: z.looseObject({}),
      permission: z.string(),
      example: z.looseObject({}),
    }),
    example: { tool_name: 'create_task' },
    run: async (_caller, { tool_name }, invocation) => {
      const all = await invocation.tools();
      const known = all.find(({ tool: { name } }) => name === tool_name);
      if (known === undefined) throw toolNotFound(tool_name, all);
      return describeTool(known);
    },
  });
}

function toolNotFound(name: string, all: readonly KnownTool[]): DomainError {
  const names = all.map(({ tool: row }) => row.name);
  const suggestion = findClosest(name, names);
  const hint = suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`;
  return new DomainError(
    'not_found',
    'tool_not_found',
    `There is no such tool.${hint} Call search_tools with words for what you want to do.`,
  );
}

/** The full description of one tool. */
export function describeTool({ tool: row, listed }: KnownTool): ToolDescription {
  const { permission, toolset, example } = row;
  const { name, title, description, inputSchema, outputSchema, annotations } = listed;
  return {
    name,
    title,
    description,
    category: toolset,
    inputSchema,
    outputSchema,
    annotations,
    permission: typeof permission === 'string' ? permission : permission.anyOf.join(' or '),
    example: isObject(example) ? example : {},
  };
}

interface ToolDescription {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly category: string;
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema: Record<string, unknown>;
  readonly annotations: ToolHints;
  readonly permission: string;
  readonly example: Record<string, unknown>;
  readonly [key: string]: unknown;
}
