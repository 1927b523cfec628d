// The registry: every tool of the tables, looked over once at the start, with what is published of it.
import { findClosest } from '../../../lib/text/find-closest.ts';
import type { SchemaCompiler } from '../../pipeline/schema.ts';
import { toPublishedSchema } from './published-schema.ts';
import { toolsets, type KnownTool, type Tool } from './tool.ts';

export interface ToolRegistry {
  /** In the order of the tables, which is the order of every list. */
  readonly all: readonly KnownTool[];
  find(name: string): KnownTool | undefined;
  /** The name that may have been meant. */
  suggest(name: string): string | undefined;
}

/** @throws when a row is not whole: the start stops */
export function createToolRegistry(rows: readonly Tool[], schemas: SchemaCompiler): ToolRegistry {
  const tools = new Map<string, KnownTool>();
  for (const row of rows) {
    if (tools.has(row.name)) throw new Error(`The tool ${row.name} stands twice in its tables.`);
    tools.set(row.name, toKnownTool(row, schemas));
  }
  const names = [...tools.keys()];
  return {
    all: [...tools.values()],
    find: (name) => tools.get(name),
    suggest: (name) => findClosest(name, names),
  };
}

function toKnownTool(tool: Tool, schemas: SchemaCompiler): KnownTool {
  const { name, title, description, toolset, hints } = tool;
  if (!/^[a-z][a-z_]{1,63}$/.test(name)) throw new Error(`The tool ${name} has no name that clients take.`);
  if (!tool.permission) throw new Error(`The tool ${name} names no permission.`);
  if (!toolsets.includes(toolset)) throw new Error(`The tool ${name} stands in no toolset.`);
  // What a model reads of a tool is ours alone, and plain.
  if (!/^[\x20-\x7e]+$/.test(title + description)) throw new Error(`The tool ${name} is not described in ASCII.`);
  const inputSchema = toPublishedSchema(tool.input);
  if (inputSchema['additionalProperties'] !== false)
    throw new Error(`The tool ${name} takes arguments it does not name.`);
  const properties = inputSchema['properties'];
  const listed = {
    name,
    title,
    description,
    inputSchema,
    outputSchema: toPublishedSchema(tool.output),
    annotations: hints,
    _meta: { category: toolset },
  };
  return {
    tool,
    listed,
    text: JSON.stringify(listed),
    argumentNames: typeof properties === 'object' && properties !== null ? Object.keys(properties) : [],
    parse: schemas.body(tool.input),
  };
}
