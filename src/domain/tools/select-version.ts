// Which version of a tool is meant. choices-3: none named means the highest that is not revoked.
import { notFound } from '../model/errors.ts';
import type { RegisteredTool } from '../model/tool.ts';
import { compareVersions } from '../../lib/text/compare-versions.ts';
import type { Rows } from '../ports/store/store.ts';

/** @returns versions from the highest to the lowest. @throws DomainError not_found when there is none */
export async function listVersions(rows: Rows, toolId: string): Promise<[RegisteredTool, ...RegisteredTool[]]> {
  const [first, ...rest] = (await rows.tools.versions(toolId)).toSorted((a, b) =>
    compareVersions(b.version, a.version),
  );
  if (first === undefined) throw notFound('tool');
  return [first, ...rest];
}

/**
 * The version that is named; else the highest that is not revoked; else the highest.
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
