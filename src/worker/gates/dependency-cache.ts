// Installed dependencies, kept per lockfile, set-up and platform. It is filled at a base alone. runs-10.
import { execFile } from 'node:child_process';
import {
  constants,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { sha256 } from '../../lib/digest.ts';
import { isDiskFull, WorkspaceError } from '../workspace/git/workspace-error.ts';

export interface Dependencies {
  /** Files and folders that set-up made, relative to the tree. */
  readonly paths: readonly string[];
  /** A folder with the content that set-up left in its home; undefined: nothing of use. */
  readonly home: string | undefined;
}

interface DependencySource {
  /** A tree in which set-up has run, with links resolved. */
  readonly tree: string;
  readonly paths: readonly string[];
  /** The home that set-up had. */
  readonly home: string;
}

export interface DependencyCache {
  /** Copies what is kept into a tree. @returns undefined: nothing is kept under this key */
  restore(key: string, tree: string, signal: AbortSignal): Promise<Dependencies | undefined>;
  fill(key: string, source: DependencySource, signal: AbortSignal): Promise<void>;
}

const kept = z.object({ paths: z.array(z.string()) });
const keepEntries = 12;
const copyDeadlineMs = 600_000;
/** Folders of a home in which tools keep what later commands read without a network. */
const homeFolders = ['.cargo', 'go', '.m2', '.gradle', '.local'];

/** @param locks contents of all lockfiles and manifests by path */
export function dependencyKey(locks: Readonly<Record<string, string>>, setup: readonly string[]): string {
  const rows = Object.entries(locks).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify([rows, setup, process.platform, process.arch]), 'hex');
}

/** Copies a file or folder with its links; blocks are shared where the disk can. */
async function copyTree(from: string, to: string, signal: AbortSignal): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  if (process.platform === 'linux') {
    // Ten times as fast as Node's own for many small files.
    const args = ['-a', '--reflink=auto', '-T', '--', from, to];
    try {
      await promisify(execFile)('cp', args, { timeout: copyDeadlineMs, killSignal: 'SIGKILL', signal });
    } catch (error) {
      if (!(error instanceof Error && isDiskFull(error.message))) throw error;
      throw new WorkspaceError('disk_full', `The disk is full: ${to} could not be written.`, { cause: error });
    }
  } else {
    const mode = constants.COPYFILE_FICLONE;
    await cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, mode });
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function hasRealParent(tree: string, path: string): Promise<boolean> {
  const parent = dirname(join(tree, path));
  return (await realpath(parent).catch(() => undefined)) === parent;
}

/** Removes all but the entries that were used last. */
async function prune(folder: string): Promise<void> {
  const names = await readdir(folder);
  const used = await Promise.all(
    names.map(async (name) => ({ name, at: (await lstat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  const old = used.toSorted((a, b) => b.at - a.at).slice(keepEntries);
  for (const { name } of old) await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
}

/** @param stateDir the worker's state folder, which no confined command sees */
export function openDependencyCache(stateDir: string): DependencyCache {
  const folder = join(stateDir, 'dependencies');
  return {
    async restore(key, tree, signal) {
      const entry = join(folder, key);
      const text = await readFile(join(entry, 'paths.json'), 'utf8').catch(() => undefined);
      if (text === undefined) return undefined;
      const { paths } = kept.parse(JSON.parse(text));
      for (const path of paths) {
        // A candidate may have turned a folder on the way into a link that leads out.
        if (!(await hasRealParent(tree, path))) continue;
        await rm(join(tree, path), { recursive: true, force: true });
        await copyTree(join(entry, 'tree', path), join(tree, path), signal);
      }
      const now = new Date();
      await utimes(entry, now, now);
      return { paths, home: (await isThere(join(entry, 'home'))) ? join(entry, 'home') : undefined };
    },
    async fill(key, { tree, paths, home }, signal) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const made = await mkdtemp(join(folder, '.new-'));
      try {
        for (const path of paths) await copyTree(join(tree, path), join(made, 'tree', path), signal);
        for (const name of homeFolders) {
          if (await isThere(join(home, name))) await copyTree(join(home, name), join(made, 'home', name), signal);
        }
        await writeFile(join(made, 'paths.json'), JSON.stringify({ paths }));
        // Another attempt may have filled it meanwhile, with the same.
        await rename(made, join(folder, key)).catch(() => undefined);
      } finally {
        await rm(made, { recursive: true, force: true, maxRetries: 3 });
      }
      await prune(folder);
    },
  };
}
