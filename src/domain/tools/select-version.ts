// Selects a version of a tool: the named one, else the highest that is not revoked. choices-3.
import { notFound } from '../model/errors.ts';
import type { RegisteredTool } from '../model/tool.ts';
import { compareVersions } from '../../lib/text/compare-versions.ts';
import type { Rows } from '../ports/store/store.ts';

/** @returns all versions, highest first. @throws DomainError not_found when there are none */
export async function listVersions(rows: Rows, toolId: string): Promise<[RegisteredTool, ...RegisteredTool[]]> {
  const [first, ...rest] = (await rows.tools.versions(toolId)).toSorted((a, b) =>
    compareVersions(b.version, a.version),
  );
  if (first === undefined) throw notFound('tool');
  return [first, ...rest];
}

/**
 * Selects the named version; else the highest that is not revoked; else the highest.
 * @throws DomainError not_found
 */
export function selectVersion(
  versions: readonly [RegisteredTool, ...RegisteredTool[]],
  version: string | undefined,
): RegisteredTool {
  if (version === undefined) return versions.find(({ revokedAt }) => revokedAt === null) ?? versions[0];
  const found = versions.find((tool) => tool.version === version);
  if (found === undefined) throw notFound('tool');
  return found;
}
