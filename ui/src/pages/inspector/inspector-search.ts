// The address of the inspector: the open call, and the way calls are made.
import {
  a2aBindings,
  a2aVersions,
  type A2aBinding,
  type A2aVersion,
  mcpEras,
  type McpEra,
} from './calls/protocol-versions.ts';
import { oneOf, textOf, type RawSearch } from '../../search.ts';

export interface InspectorSearch {
  readonly call?: string | undefined;
  readonly version?: A2aVersion | undefined;
  readonly binding?: A2aBinding | undefined;
  readonly era?: McpEra | undefined;
}

export function inspectorSearch(raw: RawSearch): InspectorSearch {
  return {
    call: textOf(raw['call'], 2_000),
    version: oneOf(raw['version'], a2aVersions),
    binding: oneOf(raw['binding'], a2aBindings),
    era: oneOf(raw['era'], mcpEras),
  };
}

export const inspectorParts = ['a2a', 'mcp', 'rest', 'tools'] as const;
export type InspectorPart = (typeof inspectorParts)[number];
