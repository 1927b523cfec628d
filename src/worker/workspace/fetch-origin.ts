// Fetches the origin of a user's repository into hidden refs, with the user's credentials.
import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { parseGitUrl } from '../../lib/text/git-url.ts';
import { remoteGit } from './clone.ts';
import type { Git } from './git/git.ts';
import type { GitFolder } from './git/find-git.ts';

interface OriginOptions {
  readonly git: Git;
  readonly repository: Pick<GitFolder, 'root' | 'settings'>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Branches of the origin, invisible among the user's own. */
const refs = '+refs/heads/*:refs/switchyard/origin/*';

/**
 * Brings the commits of all branches of `origin`; nothing happens where the repository has no usable one.
 * @throws WorkspaceError `clone_failed` when it cannot be reached, or `disk_full`
 */
export async function fetchOrigin({ git, repository, timeoutMs, signal }: OriginOptions): Promise<void> {
  const url = await usableUrl(repository.settings.get('remote.origin.url'));
  if (url === undefined) return;
  const fetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--', url, refs];
  await remoteGit({ git, url, cwd: repository.root, timeoutMs, signal }, fetch);
}

async function usableUrl(given: string | undefined): Promise<string | undefined> {
  if (given === undefined) return undefined;
  const parsed = parseGitUrl(given);
  if ('url' in parsed) return parsed.url;
  const found = isAbsolute(given) ? await stat(given).catch(() => undefined) : undefined;
  return found?.isDirectory() === true ? given : undefined;
}
