// The tool registry: validates every tool row at the start, and prepares its published form.
import { findClosest } from '../../../lib/text/find-closest.ts';
import type { SchemaCompiler } from '../../pipeline/schema.ts';
import { toPublishedSchema } from './published-schema.ts';
import { toolsets, type KnownTool, type Tool } from './tool.ts';

export interface ToolRegistry {
  /** In the order of the tables, which every list keeps. */
  readonly all: readonly KnownTool[];
  find(name: string): KnownTool | undefined;
  /** The most similar tool name, for "did you mean". */
  suggest(name: string): string | undefined;
}

/** @throws for an invalid row; the service does not start */
export function createToolRegistry(rows: readonly Tool[], schemas: SchemaCompiler): ToolRegistry {
  const tools = new Map<string, KnownTool>();
  for (const row of rows) {
    if (tools.has(row.name)) throw new Error(`The tool ${row.name} is defined twice; remove one of its rows.`);
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
  if (!/^[a-z][a-z_]{1,63}$/.test(name))
    throw new Error(`The tool name ${name} is invalid; use 2 to 64 characters of a-z and _.`);
  if (!tool.permission) throw new Error(`The tool ${name} names no permission.`);
  if (!toolsets.includes(toolset)) throw new Error(`The tool ${name} names no known toolset.`);
  // Models read these texts, so invisible and look-alike characters are not allowed.
  if (!/^[\x20-\x7e]+$/.test(title + description))
    throw new Error(`The title or description of the tool ${name} is not ASCII.`);
  const inputSchema = toPublishedSchema(tool.input);
  if (inputSchema['additionalProperties'] !== false)
    throw new Error(`The tool ${name} accepts unknown arguments; make its input a strict object.`);
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
