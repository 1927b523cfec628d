// Snapshots of a folder as git trees, through an index of our own: the user's index, refs and files stay unchanged.
import { mkdir } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import type { Git } from './git/git.ts';
import type { GitFolder } from './git/find-git.ts';
import { copyIndex } from './git/index-copy.ts';
import { nestedIn, updateNested } from './git/nested.ts';
import { openEmptyGit } from './git/isolated-git.ts';

export interface Snapshots {
  readonly git: Git;
  /** Top folder; paths in trees are relative to it. */
  readonly root: string;
  /** Environment in which git finds the trees. */
  readonly env: Record<string, string>;
  /**
   * The current state of the folder: tracked files, and untracked ones that are not ignored. Unreadable files, and
   * nested repositories without a commit, are left out.
   * @returns the tree's id
   */
  take(): Promise<string>;
}

interface SnapshotOptions {
  readonly git: Git;
  readonly root: string;
  readonly env: Record<string, string>;
  /** The worker's state folder, never part of a snapshot. */
  readonly stateDir: string;
}

/** The data of the service and the worker, which may lie in the folder in which they were started. choices-1 */
function ownFolders(root: string, stateDir: string): string[] {
  const inside = relative(root, stateDir);
  const own = [':(exclude,top,glob)**/.switchyard/**'];
  if (inside !== '' && !inside.startsWith('..') && !isAbsolute(inside)) own.push(`:(exclude,top,literal)${inside}`);
  return own;
}

/**
 * Patterns that leave out a file, or a folder with its files. Git refuses a path that leads through a link, and looks
 * for links in the text before it reads it as a pattern: the backslash keeps it from finding any.
 */
function leaveOut(path: string): string[] {
  const pattern = path.replaceAll(/^.|[*?[\\]/gsu, '\\$&');
  return [`:(exclude,top,glob)${pattern}`, `:(exclude,top,glob)${pattern}/**`];
}

/**
 * Stores the files of a folder as a tree, through the index that `env` names.
 * @param leftOut paths relative to the folder whose entries in the index stay as they are
 * @returns the tree's id
 */
export async function snapshotFiles(
  { git, root, env, stateDir }: SnapshotOptions,
  leftOut: readonly string[] = [],
): Promise<string> {
  const call = { cwd: root, env };
  // Git checks a nested repository by a git process with that repository's configuration, so nested ones are never
  // added by it.
  const nested = await nestedIn(git, call);
  const left = [...leftOut.flatMap(leaveOut), ...nested.map((path) => `:(exclude,top,literal)${path}`)];
  const add = ['add', '--all', '--ignore-errors', '--pathspec-from-file=-', '--pathspec-file-nul'];
  // Exit code 1: some files could not be added (unreadable, nested repository without a commit); all others are.
  const input = [':/', ...ownFolders(root, stateDir), ...left].join('\0');
  await git.run(add, { ...call, input, expect: [0, 1] });
  await updateNested(git, call, nested);
  // A partial clone may lack objects that its sparse checkout leaves out.
  return git.line(['write-tree', '--missing-ok'], call);
}

function snapshots(options: SnapshotOptions): Snapshots {
  const { git, root, env } = options;
  return { git, root, env, take: () => snapshotFiles(options) };
}

interface OpenOptions {
  readonly git: Git;
  /** A folder of this attempt alone, for the index and the objects. */
  readonly folder: string;
  readonly stateDir: string;
}

/**
 * Snapshots of a working tree. They start from a copy of its index, which is fast (only changed files are read) and
 * keeps sparse checkouts correct.
 * @param store `aside`: the objects lie in `folder` and vanish with it; `repository`: they are stored in the
 * repository, for a commit
 */
export async function openSnapshots(
  { git, folder, stateDir }: OpenOptions,
  { root, gitDir, commonDir }: Pick<GitFolder, 'root' | 'gitDir' | 'commonDir'>,
  store: 'aside' | 'repository',
): Promise<Snapshots> {
  await mkdir(join(folder, 'objects'), { recursive: true });
  const index = join(folder, 'index');
  await copyIndex(join(gitDir, 'index'), index);
  const env: Record<string, string> = { GIT_INDEX_FILE: index, GIT_WORK_TREE: root };
  if (store === 'aside') {
    env['GIT_OBJECT_DIRECTORY'] = join(folder, 'objects');
    env['GIT_ALTERNATE_OBJECT_DIRECTORIES'] = JSON.stringify(join(commonDir, 'objects'));
  }
  return snapshots({ git, root, env, stateDir });
}

/** Snapshots of a folder that is not a repository, through a repository of their own below `folder`. */
export async function openPlainSnapshots({ git, folder, stateDir }: OpenOptions, root: string): Promise<Snapshots> {
  await mkdir(folder, { recursive: true });
  return snapshots({ git: await openEmptyGit(git, root, join(folder, 'snapshot.git')), root, env: {}, stateDir });
}
