// Resolves the paths that a run mounts, so that a symbolic link cannot lead outside the operator's allowed paths.
import { realpath } from 'node:fs/promises';
import { DomainError } from '../../../domain/model/errors.ts';
import { isAtOrBeneath } from '../../../domain/model/tool-limits.ts';
import { fileIdentity } from './confinement-checks.ts';
import type { OpenedPath } from './confinement.ts';

/**
 * @param allowed paths that the operator allows for tools
 * @param hidden paths that no tool may see, even inside allowed ones
 * @returns each path with its real path, and its identity now
 * @throws DomainError forbidden resource_not_allowed; conflict resource_missing
 */
export async function openPaths(
  paths: readonly string[],
  allowed: readonly string[],
  hidden: readonly string[],
): Promise<{ opened: OpenedPath[]; openedAs: string[] }> {
  const folders = await Promise.all(allowed.map((folder) => realpath(folder).catch(() => folder)));
  const secret = await Promise.all(hidden.map((folder) => realpath(folder).catch(() => folder)));
  const opened: OpenedPath[] = [];
  const openedAs: string[] = [];
  for (const path of paths) {
    const source = await realpath(path).catch((cause: unknown) => {
      throw new DomainError('conflict', 'resource_missing', `The path ${path} for this tool does not exist.`, {
        cause,
      });
    });
    const mayBeSeen = folders.some((folder) => isAtOrBeneath(source, folder));
    if (!mayBeSeen || secret.some((folder) => isAtOrBeneath(source, folder))) {
      throw new DomainError(
        'forbidden',
        'resource_not_allowed',
        `${path} lies outside the paths that are allowed for tools.`,
      );
    }
    opened.push({ path, source });
    openedAs.push(await fileIdentity(source));
  }
  return { opened, openedAs };
}
