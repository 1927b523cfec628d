// Snapshots of a folder as git trees, by an index of our own: the user's index, refs and files stay as they are.
import { copyFile, mkdir, stat, utimes } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import type { Git } from './git.ts';
import type { Repository } from './repository.ts';
import { errorCode } from '../../lib/error-code.ts';

export interface Snapshots {
  git: Git;
  /** Top folder; paths in trees are relative to it. */
  root: string;
  /** Environment in which git finds the trees. */
  env: Record<string, string>;
  /**
   * The folder as it is: tracked files and untracked ones that are not ignored. Unreadable files, and nested
   * repositories without a commit, are left out.
   * @returns the tree's id
   */
  take(): Promise<string>;
}

interface SnapshotOptions {
  git: Git;
  root: string;
  env: Record<string, string>;
  /** The worker's own folder, never part of a snapshot. */
  stateDir: string;
}

/** The service's and the worker's own data, which may lie in the folder that they were started in. choices §1 */
function ownFolders(root: string, stateDir: string): string[] {
  const inside = relative(root, stateDir);
  const own = [':(exclude,top,glob)**/.switchyard/**'];
  if (inside !== '' && !inside.startsWith('..') && !isAbsolute(inside)) own.push(`:(exclude,top,literal)${inside}`);
  return own;
}

function snapshots({ git, root, env, stateDir }: SnapshotOptions): Snapshots {
  const call = { cwd: root, env };
  return {
    git,
    root,
    env,
    async take() {
      // 1: some files could not be added (unreadable, nested repository without a commit); all others are.
      const add = ['add', '--all', '--ignore-errors', '--', ':/', ...ownFolders(root, stateDir)];
      await git.run(add, { ...call, expect: [0, 1] });
      return git.line(['write-tree'], call);
    },
  };
}

/**
 * Copies an index with its time: git trusts its entries for files that are older than it, and reads the others. A copy
 * that were newer would hide an edit of the same length in the second in which the index was written.
 */
async function copyIndex(from: string, to: string): Promise<void> {
  try {
    const { atime, mtimeMs } = await stat(from);
    await copyFile(from, to);
    await utimes(to, atime, Math.floor(mtimeMs / 1000));
  } catch (error) {
    // A repository in which nothing was ever added has no index yet.
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

interface OpenOptions {
  git: Git;
  /** A folder of this run's alone, for the index and the objects. */
  folder: string;
  stateDir: string;
}

/**
 * Snapshots of a working tree. They start from a copy of its index, which makes them fast (only changed files are
 * read) and keeps sparse checkouts right.
 * @param store `aside`: the objects lie in `folder` and go with it; `repository`: they are kept in the repository, for
 *   a commit
 */
export async function openSnapshots(
  { git, folder, stateDir }: OpenOptions,
  repository: Repository,
  store: 'aside' | 'repository',
): Promise<Snapshots> {
  await mkdir(join(folder, 'objects'), { recursive: true });
  const index = join(folder, 'index');
  await copyIndex(repository.index, index);
  // Named, not looked for: an agent that deletes .git must not lead us to a repository around it.
  const { root, gitDir } = repository;
  const env: Record<string, string> = { GIT_INDEX_FILE: index, GIT_DIR: gitDir, GIT_WORK_TREE: root };
  if (store === 'aside') {
    env['GIT_OBJECT_DIRECTORY'] = join(folder, 'objects');
    env['GIT_ALTERNATE_OBJECT_DIRECTORIES'] = JSON.stringify(repository.objects);
  }
  return snapshots({ git, root, env, stateDir });
}

/** Snapshots of a folder that is no repository, through a repository of their own under `folder`. */
export async function openPlainSnapshots({ git, folder, stateDir }: OpenOptions, root: string): Promise<Snapshots> {
  const gitDir = join(folder, 'snapshot.git');
  await mkdir(folder, { recursive: true });
  await git.run(['init', '--quiet', '--bare', '--template=', gitDir], { cwd: folder });
  return snapshots({ git, root, env: { GIT_DIR: gitDir, GIT_WORK_TREE: root }, stateDir });
}
