// The kind of a bound folder: a repository (or a part of one), or a plain folder.
import { mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findGit, type GitFolder } from './find-git.ts';
import type { Git } from './git.ts';
import { copyIndex, copySharedIndexes } from './index-copy.ts';
import { openEmptyGit } from './isolated-git.ts';
import { WorkspaceError } from './workspace-error.ts';

export interface Repository extends GitFolder {
  readonly kind: 'git';
  /** Path of the bound folder in the repository; empty: it is the top folder. */
  readonly prefix: string;
}

export interface PlainFolder {
  readonly kind: 'plain';
  readonly root: string;
}

/** A disk that does not answer blocks only this check, not the worker. */
const diskPatienceMs = 10_000;

async function withDiskTimeout<T>(path: string, work: Promise<T>): Promise<T> {
  const waiting = new AbortController();
  const timeout = delay(diskPatienceMs, undefined, { signal: waiting.signal }).then(() => {
    const message = `The disk of the codebase's folder ${path} did not answer in ${diskPatienceMs / 1000} s.`;
    throw new WorkspaceError('workspace_timeout', message);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    waiting.abort();
    timeout.catch(() => undefined);
  }
}

async function resolveFolder(path: string): Promise<string> {
  try {
    if ((await withDiskTimeout(path, stat(path))).isDirectory()) return await withDiskTimeout(path, realpath(path));
  } catch (cause) {
    if (cause instanceof WorkspaceError) throw cause;
    const message = `The codebase's folder ${path} does not exist. Restore the folder, or correct the binding.`;
    throw new WorkspaceError('workspace_missing', message, { cause });
  }
  throw new WorkspaceError('workspace_missing', `The codebase's path ${path} is not a folder.`);
}

/** Whether the repository tracks something below a folder in it. */
async function tracks(git: Git, { root, gitDir, commonDir }: GitFolder, prefix: string): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-index-'));
  try {
    const gitFolder = join(folder, 'git');
    const empty = await openEmptyGit(git, root, gitFolder);
    await copyIndex(join(gitDir, 'index'), join(folder, 'index'));
    await copySharedIndexes(gitDir, gitFolder);
    // The entries of a sparse index are folders, whose content only the trees list.
    const env = { GIT_INDEX_FILE: join(folder, 'index'), GIT_OBJECT_DIRECTORY: join(commonDir, 'objects') };
    const lsFiles = ['ls-files', '--error-unmatch', '--', `:(top,literal)${prefix}`];
    return (await empty.run(lsFiles, { cwd: root, env, expect: [0, 1, 128] })).code === 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Determines the kind of a bound folder.
 * @throws WorkspaceError when it is missing, inside a git folder or a bare repository, or linked to a repository that
 * does not point back
 */
export async function inspectFolder(git: Git, path: string): Promise<Repository | PlainFolder> {
  const root = await resolveFolder(path);
  const found = await findGit(git, root);
  if (found === undefined) return { kind: 'plain', root };
  const prefix = relative(found.root, root);
  // A folder that merely lies below a repository (a home folder under version control) is not part of it.
  if (prefix !== '' && !(await tracks(git, found, prefix))) return { kind: 'plain', root };
  return { kind: 'git', ...found, prefix };
}

/** @returns the checked-out commit; undefined before the first one */
export async function findHeadCommit(git: Git, root: string): Promise<string | undefined> {
  const find = ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'];
  const { code, stdout } = await git.run(find, { cwd: root, expect: [0, 1, 128] });
  return code === 0 ? stdout.toString().trim() : undefined;
}
