// Finds the place that a path names below a folder, one component at a time, never leaving the folder on the way.
import { constants } from 'node:fs';
import { lstat, mkdir, open, readlink, type FileHandle } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { PathRefused } from './path-refused.ts';
import { unservedSystemFolders } from './system-folders.ts';
import { errorCode } from '../../lib/system/error-code.ts';

/** An open folder below the root. */
export interface OpenFolder {
  handle: FileHandle;
  /** Its path below the root, without links; `''` for the root. */
  path: string;
  /** How its entries are named to the system. */
  base: string;
}

/** A place below the root: an entry of an open folder, which may not exist. */
export interface ResolvedPath extends AsyncDisposable {
  folder: OpenFolder;
  /** The entry's name; `.` when the path names the folder itself. */
  name: string;
  /** Its path below the root, without links; `''` for the root. */
  path: string;
  /** The entry's path for the system: never through a link, whatever others do to the tree meanwhile (on Linux). */
  system: string;
}

export interface WalkOptions {
  /** Absolute, without links. */
  root: string;
  /** Absolute paths that are nobody's to touch, e.g. the worker's own folder. */
  hidden?: readonly string[];
  /** Makes the folders on the way. */
  makeFolders?: boolean;
  /**
   * What the last component stands for: the `entry` itself, even a link; what a link there leads to (`target`); or a
   * `folder` that is opened too.
   */
  last: 'entry' | 'target' | 'folder';
}

const maxLinks = 40;
const maxDepth = 200;
const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** By the open folder itself, so that nobody can put a link in the way; elsewhere than on Linux by its path. */
function handlePath(handle: FileHandle, path: string): string {
  return process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : path;
}

async function openFolder(system: string, path: string, real: string): Promise<OpenFolder> {
  const handle = await open(system, folderFlags);
  return { handle, path, base: handlePath(handle, real) };
}

/** Git's own files are nobody's to read or write but git's: its hooks and its configuration run programs. */
export function isGuarded(name: string): boolean {
  // As file systems that fold case or drop trailing dots and blanks would take it.
  return (
    name
      .normalize('NFKC')
      .replace(/[. ]+$/, '')
      .toLowerCase() === '.git' || /^git~\d$/i.test(name)
  );
}

/** The components of a path, as seen from the root. @throws PathRefused for an absolute path that lies elsewhere */
function splitPath(path: string, root: string): { fromRoot: boolean; parts: string[] } {
  if (path.includes('\0') || path.length > 4096) throw new PathRefused('bad_path', 'That is no path.');
  if (!isAbsolute(path)) return { fromRoot: false, parts: path.split('/') };
  if (path !== root && !path.startsWith(`${root}/`)) throw outside(path);
  return { fromRoot: true, parts: path.slice(root.length).split('/') };
}

function outside(path: string): PathRefused {
  return new PathRefused('outside', `${path.slice(0, 200)} is outside the work place.`);
}

/** Reads a link in an open folder; undefined when the entry is none, or is not there. */
async function linkTarget(system: string): Promise<string | undefined> {
  try {
    return await readlink(system);
  } catch (error) {
    if (['EINVAL', 'ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** The folders from the root to where the walk is. */
class Trail {
  readonly folders: OpenFolder[];
  readonly root: string;

  constructor(root: string, first: OpenFolder) {
    this.root = root;
    this.folders = [first];
  }

  top(): OpenFolder {
    const folder = this.folders.at(-1);
    if (folder === undefined) throw new Error('a trail has no end');
    return folder;
  }

  async up(path: string): Promise<void> {
    if (this.folders.length === 1) throw outside(path);
    await this.folders.pop()?.handle.close();
  }

  async toRoot(): Promise<void> {
    for (const { handle } of this.folders.splice(1)) await handle.close();
  }

  async into(name: string, make: boolean): Promise<'entered' | 'link'> {
    const at = this.top();
    const path = at.path === '' ? name : `${at.path}/${name}`;
    if (this.folders.length > maxDepth) throw new PathRefused('bad_path', 'The path is too deep.');
    try {
      this.folders.push(await openFolder(join(at.base, name), path, join(this.root, path)));
      return 'entered';
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOENT' && make) {
        await makeFolder(join(at.base, name));
        return this.into(name, false);
      }
      if (code === 'ENOENT') throw new PathRefused('not_found', `${path} does not exist.`);
      if (code !== 'ELOOP' && code !== 'ENOTDIR') throw error;
      if ((await linkTarget(join(at.base, name))) !== undefined) return 'link';
      throw new PathRefused('not_a_folder', `${path} is not a folder.`);
    }
  }

  async close(): Promise<void> {
    for (const { handle } of this.folders.splice(0)) await handle.close();
  }
}

async function makeFolder(system: string): Promise<void> {
  try {
    await mkdir(system);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/**
 * Walks to the place that `path` names: relative to the root, or absolute and below it. Links on the way are followed
 * as long as they stay below the root.
 * @throws PathRefused when it leads out of the root, through git's own folder, or nowhere
 */
export async function resolvePath(path: string, options: WalkOptions): Promise<ResolvedPath> {
  const { root } = options;
  const isSystem = unservedSystemFolders.some((folder) => root === folder || root.startsWith(`${folder}/`));
  if (isSystem || options.hidden?.includes(root) === true) {
    throw new PathRefused('guarded', "This work place is the worker's own; it is not for agents' tools.");
  }
  const trail = new Trail(root, await openFolder(root, '', root));
  try {
    const name = await follow(path, trail, options);
    const folder = trail.top();
    const below = name === '.' ? folder.path : join(folder.path, name);
    const system = name === '.' ? folder.base : join(folder.base, name);
    return { folder, name, path: below, system, [Symbol.asyncDispose]: () => trail.close() };
  } catch (error) {
    await trail.close();
    throw error;
  }
}

async function follow(path: string, trail: Trail, options: WalkOptions): Promise<string> {
  let { parts: queue } = splitPath(path, options.root);
  for (let links = 0; ;) {
    const part = queue.shift();
    if (part === undefined) return '.';
    if (part === '' || part === '.') continue;
    if (part === '..') {
      await trail.up(path);
      continue;
    }
    if (isGuarded(part)) throw new PathRefused('guarded', `${part} is git's own; it is not for agents' tools.`);
    const at = join(options.root, trail.top().path, part);
    if (unservedSystemFolders.includes(at) || options.hidden?.includes(at) === true) {
      throw new PathRefused('guarded', `${part} is the worker's own; it is not for agents' tools.`);
    }
    const isLast = options.last !== 'folder' && queue.every((rest) => rest === '' || rest === '.');
    const system = join(trail.top().base, part);
    if (isLast && (options.last === 'entry' || (await linkTarget(system)) === undefined)) return part;
    if (!isLast && (await trail.into(part, options.makeFolders === true)) === 'entered') continue;
    links += 1;
    if (links > maxLinks) throw new PathRefused('bad_path', `${path.slice(0, 200)} has too many links.`);
    const target = splitPath((await linkTarget(system)) ?? '', options.root);
    if (target.fromRoot) await trail.toRoot();
    queue = [...target.parts, ...queue];
  }
}

/** What stands at a place, without following a link; undefined when nothing does. */
export async function statEntry(target: ResolvedPath): Promise<Awaited<ReturnType<typeof lstat>> | undefined> {
  try {
    // `/proc/self/fd/N` itself is a link; what it leads to is the open folder.
    return target.name === '.' ? await target.folder.handle.stat() : await lstat(target.system);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
