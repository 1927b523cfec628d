// Resolves a path below a folder, one component at a time, never leaving the folder on the way.
import { constants } from 'node:fs';
import { lstat, mkdir, open, readlink, type FileHandle } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { PathRefused } from './path-refused.ts';
import { unservedSystemFolders } from './system-folders.ts';
import { errorCode } from '../../lib/system/error-code.ts';

/** An open folder below the root. */
export interface OpenFolder {
  readonly handle: FileHandle;
  /** Its path below the root, with links resolved; `''` for the root. */
  readonly path: string;
  /** The path prefix of its entries for system calls. */
  readonly base: string;
}

/** A resolved path below the root: an entry of an open folder, which may not exist. */
export interface ResolvedPath extends AsyncDisposable {
  readonly folder: OpenFolder;
  /** The entry's name; `.` when the path is the folder itself. */
  readonly name: string;
  /** Its path below the root, with links resolved; `''` for the root. */
  readonly path: string;
  /** The entry's path for system calls: never through a link, even if others change the tree meanwhile (on Linux). */
  readonly system: string;
}

export interface WalkOptions {
  /** Absolute, with links resolved. */
  readonly root: string;
  /** Absolute paths that nobody may touch, e.g. the worker's state folder. */
  readonly hidden?: readonly string[];
  /** Creates missing folders on the way. */
  readonly makeFolders?: boolean;
  /**
   * How the last component is resolved: the `entry` itself, even a link; the `target` of a link; or a `folder`, which
   * is opened too.
   */
  readonly last: 'entry' | 'target' | 'folder';
}

const maxLinks = 40;
const maxDepth = 200;
const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Uses the open folder itself, so that nobody can put a link in the way; its path on systems other than Linux. */
function handlePath(handle: FileHandle, path: string): string {
  return process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : path;
}

async function openFolder(system: string, path: string, real: string): Promise<OpenFolder> {
  const handle = await open(system, folderFlags);
  return { handle, path, base: handlePath(handle, real) };
}

/** Only git may read or write its own files: its hooks and its configuration run programs. */
export function isGuarded(name: string): boolean {
  // In every spelling that file systems accept: some fold case or drop trailing dots and spaces.
  return (
    name
      .normalize('NFKC')
      .replace(/[. ]+$/, '')
      .toLowerCase() === '.git' || /^git~\d$/i.test(name)
  );
}

/** The components of a path, relative to the root. @throws PathRefused for an absolute path outside */
function splitPath(path: string, root: string): { fromRoot: boolean; parts: string[] } {
  if (path.includes('\0') || path.length > 4096)
    throw new PathRefused('bad_path', 'The path is empty or contains a NUL.');
  if (!isAbsolute(path)) return { fromRoot: false, parts: path.split('/') };
  if (path !== root && !path.startsWith(`${root}/`)) throw outside(path);
  return { fromRoot: true, parts: path.slice(root.length).split('/') };
}

function outside(path: string): PathRefused {
  return new PathRefused('outside', `${path.slice(0, 200)} is outside the workspace.`);
}

/** Reads a link in an open folder; undefined when the entry is missing or not a link. */
async function linkTarget(system: string): Promise<string | undefined> {
  try {
    return await readlink(system);
  } catch (error) {
    if (['EINVAL', 'ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** The open folders from the root to the current one. */
class Trail {
  readonly folders: OpenFolder[];
  readonly root: string;

  constructor(root: string, first: OpenFolder) {
    this.root = root;
    this.folders = [first];
  }

  top(): OpenFolder {
    const folder = this.folders.at(-1);
    if (folder === undefined) throw new Error('the list of open folders is empty');
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
    if (this.folders.length > maxDepth) throw new PathRefused('bad_path', 'The path has too many levels.');
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
 * Resolves `path`: relative to the root, or absolute and below it. Links are followed as long as they stay below the
 * root.
 * @throws PathRefused when it leads out of the root, into git's own folder, or nowhere
 */
export async function resolvePath(path: string, options: WalkOptions): Promise<ResolvedPath> {
  const { root } = options;
  const isSystem = unservedSystemFolders.some((folder) => root === folder || root.startsWith(`${folder}/`));
  if (isSystem || options.hidden?.includes(root) === true) {
    throw new PathRefused('guarded', "This folder belongs to the worker; agents' tools cannot use it.");
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
    if (isGuarded(part)) throw new PathRefused('guarded', `${part} belongs to git; agents' tools cannot use it.`);
    const at = join(options.root, trail.top().path, part);
    if (unservedSystemFolders.includes(at) || options.hidden?.includes(at) === true) {
      throw new PathRefused('guarded', `${part} belongs to the worker; agents' tools cannot use it.`);
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

/** The status of an entry, without following a link; undefined when it does not exist. */
export async function statEntry(target: ResolvedPath): Promise<Awaited<ReturnType<typeof lstat>> | undefined> {
  try {
    // `/proc/self/fd/N` is itself a link, which leads to the open folder.
    return target.name === '.' ? await target.folder.handle.stat() : await lstat(target.system);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
