// The paths that a run opens, as they really lie: a symbolic link leads nowhere that an operator did not open.
import { realpath } from 'node:fs/promises';
import { DomainError } from '../../../domain/model/errors.ts';
import { isAtOrBeneath } from '../../../domain/model/tool-limits.ts';
import { fileIdentity } from './confinement-checks.ts';
import type { OpenedPath } from './confinement.ts';

/**
 * @param allowed what an operator opens to tools
 * @param hidden what no tool may see, though it lay there
 * @returns each path with where it lies, and what it is now
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
      throw new DomainError('conflict', 'resource_missing', `The service has no ${path} to open to this tool.`, {
        cause,
      });
    });
    const mayBeSeen = folders.some((folder) => isAtOrBeneath(source, folder));
    if (!mayBeSeen || secret.some((folder) => isAtOrBeneath(source, folder))) {
      throw new DomainError(
        'forbidden',
        'resource_not_allowed',
        `${path} lies outside the paths that are open to tools.`,
      );
    }
    opened.push({ path, source });
    openedAs.push(await fileIdentity(source));
  }
  return { opened, openedAs };
}
