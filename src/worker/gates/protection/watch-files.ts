// Notices files that change while gates run: a gate judges the candidate's files, not those that it finds later. runs-18.
import type { BigIntStats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '../../workspace/git/git.ts';
import { listMadeFiles } from '../made-files.ts';
import { gateConfigurationKind, isTestCode } from './gate-configuration.ts';

export interface WatchedTree {
  /** Its top folder. */
  readonly path: string;
  readonly git: Git;
  /** The environment in which git works on this tree and its own index. */
  readonly env: Record<string, string>;
  readonly tracked: ReadonlySet<string>;
  /** Paths that set-up made. */
  readonly dependencies: readonly string[];
}

export interface FileWatch {
  /** Paths of files that differ from those at the start of the watch; those of dependencies by their folder. */
  findChanges(): Promise<string[]>;
}

const maxNamed = 50;
const statsAtOnce = 64;
/** Folders into which tools write beside what is installed. */
const caches = /(^|\/)(\.(?!bin$|pnpm$)[^/]*|__pycache__)$/;

/** Changes with every write, even one that is undone: no program can set the time of the change itself. */
function stamp(found: BigIntStats | undefined): string {
  return found === undefined ? '' : [found.ino, found.mode, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}

async function stampsOf(tree: string, paths: readonly string[]): Promise<Map<string, string>> {
  const stamps = new Map<string, string>();
  for (let at = 0; at < paths.length; at += statsAtOnce) {
    const part = paths.slice(at, at + statsAtOnce);
    const found = await Promise.all(
      part.map((path) => lstat(join(tree, path), { bigint: true }).catch(() => undefined)),
    );
    for (const [index, path] of part.entries()) stamps.set(path, stamp(found[index]));
  }
  return stamps;
}

/** Files below a folder of dependencies, without the caches of tools. */
async function filesBelow(tree: string, path: string): Promise<string[]> {
  const entries = await readdir(join(tree, path), { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return [path];
  const found: string[] = [];
  for (const entry of entries) {
    const inside = `${path}/${entry.name}`;
    if (caches.test(inside)) continue;
    if (!entry.isDirectory()) found.push(inside);
    // One by one: a folder of dependencies has thousands.
    else for (const file of await filesBelow(tree, inside)) found.push(file);
  }
  return found;
}

/** The watched stamps: code of tests, configuration of gates, dependencies. */
async function takeStamps({ path, tracked, dependencies }: WatchedTree): Promise<Map<string, string>> {
  const decisive = [...tracked].filter((file) => isTestCode(file) || gateConfigurationKind(file) !== undefined);
  const installed = await Promise.all(dependencies.map((folder) => filesBelow(path, folder)));
  return stampsOf(path, [...decisive, ...installed.flat()]);
}

/** Configuration of gates beside tracked files that the commit does not have. */
async function addedConfiguration({ path, tracked }: WatchedTree): Promise<string[]> {
  return (await listMadeFiles(path, tracked)).filter((file) => gateConfigurationKind(file) !== undefined);
}

/** Tracked files with other contents. */
async function changedContents({ path, git, env }: WatchedTree): Promise<string[]> {
  await git.run(['update-index', '-q', '--refresh'], { cwd: path, env, expect: [0, 1] });
  const { stdout } = await git.run(['diff-files', '--name-only', '-z'], { cwd: path, env });
  return stdout.toString().split('\0').filter(Boolean);
}

/** Watches from now on; the tree is as checked out, with its dependencies. */
export async function watchFiles(tree: WatchedTree): Promise<FileWatch> {
  const [before, added] = [await takeStamps(tree), new Set(await addedConfiguration(tree))];
  return {
    async findChanges() {
      const after = await takeStamps(tree);
      const touched = [...new Set([...before.keys(), ...after.keys()])].filter(
        (path) => before.get(path) !== after.get(path),
      );
      const found = [
        ...(await changedContents(tree)),
        ...touched,
        ...(await addedConfiguration(tree)).filter((path) => !added.has(path)),
      ];
      return [...new Set(found)].toSorted().slice(0, maxNamed);
    },
  };
}
