// The subset of tools that a request selects by its path and headers. It holds for that request only.
import { DomainError } from '../../../domain/model/errors.ts';
import { toolsets, type KnownTool } from './tool.ts';

export interface ToolSubset {
  /** Undefined for all toolsets. */
  readonly toolsets: readonly string[] | undefined;
  readonly names: readonly string[] | undefined;
  readonly readOnly: boolean;
  /** The codebase that the request selects for its calls. */
  readonly codebaseId: string | undefined;
}

/** Parameters of the MCP paths. */
export interface SubsetPath {
  readonly toolset?: string | undefined;
  readonly readonly?: boolean | undefined;
  readonly codebase?: string | undefined;
}

type Header = (name: string) => string | undefined;

/** The tools that both the path and the headers allow. @throws DomainError not_found for an unknown toolset */
export function parseSubset(path: SubsetPath, header: Header): ToolSubset {
  const inPath = path.toolset === undefined ? undefined : splitNames(path.toolset);
  const inHeader = header('x-mcp-toolsets') === undefined ? undefined : splitNames(header('x-mcp-toolsets') ?? '');
  for (const name of [...(inPath ?? []), ...(inHeader ?? [])]) checkToolset(name);
  const names = header('x-mcp-tools');
  return {
    toolsets:
      inPath !== undefined && inHeader !== undefined
        ? inPath.filter((one) => inHeader.includes(one))
        : (inPath ?? inHeader),
    names: names === undefined ? undefined : splitNames(names),
    // An unknown value counts as true: a client that sends this header wants to be kept from making changes.
    readOnly: path.readonly === true || !/^(0|false|no|off)?$/i.test(header('x-mcp-readonly')?.trim() ?? ''),
    codebaseId: path.codebase ?? header('x-codebase-id'),
  };
}

export function isInSubset(subset: ToolSubset, { tool }: KnownTool): boolean {
  if (subset.toolsets !== undefined && !subset.toolsets.includes(tool.toolset)) return false;
  if (subset.names !== undefined && !subset.names.includes(tool.name)) return false;
  return !subset.readOnly || tool.hints.readOnlyHint;
}

function splitNames(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '');
}

function checkToolset(name: string): void {
  if (toolsets.some((one) => one === name)) return;
  throw new DomainError('not_found', 'no_such_toolset', `Unknown toolset; use one of: ${toolsets.join(', ')}.`);
}
