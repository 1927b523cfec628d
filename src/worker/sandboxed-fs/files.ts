// The files of a workspace for agents' tools: read, write, list, delete and rename, never outside of it.
import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { link, open, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { PathRefused } from './path-refused.ts';
import { isGuarded, statEntry, resolvePath, type ResolvedPath } from './walk.ts';
import { errorCode } from '../../lib/system/error-code.ts';

export interface FolderEntry {
  /** Below the root. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

export interface SandboxedFiles {
  /** The whole text of a file. @throws PathRefused for bytes that are not UTF-8 */
  readText(path: string): Promise<string>;
  /** Replaces a file atomically, or creates it with its missing parent folders. */
  writeText(path: string, text: string): Promise<'created' | 'changed'>;
  /** The entries of a folder, sorted, without those of git. */
  list(path: string): Promise<FolderEntry[]>;
  /** Removes a file, a link (not its target) or an empty folder. */
  remove(path: string): Promise<void>;
  /** Moves a file, a link or a folder to a path that does not exist yet; missing parent folders are created. */
  move(from: string, to: string): Promise<void>;
}

/** The largest file that is read or written. */
const maxFileBytes = 4_000_000;

const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const newFileFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

function notFound(path: string): PathRefused {
  return new PathRefused('not_found', `${path} does not exist.`);
}

async function readBytes(target: ResolvedPath): Promise<Buffer> {
  const handle = await open(target.system, readFlags).catch((error: unknown) => {
    const code = errorCode(error);
    if (code === 'ENOENT') throw notFound(target.path);
    if (code === 'ELOOP' || code === 'ENXIO') throw new PathRefused('not_a_file', `${target.path} is not a file.`);
    throw error;
  });
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new PathRefused('not_a_file', `${target.path || '.'} is not a file.`);
    if (found.size > maxFileBytes) throw tooLarge(target.path);
    const chunks: Buffer[] = [];
    // One byte more than the limit: the file may grow while it is read, and some files report no size.
    for await (const chunk of handle.createReadStream({ end: maxFileBytes, autoClose: false })) {
      if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    }
    const bytes = Buffer.concat(chunks);
    if (bytes.length > maxFileBytes) throw tooLarge(target.path);
    return bytes;
  } finally {
    await handle.close();
  }
}

function tooLarge(path: string): PathRefused {
  return new PathRefused('too_large', `${path} is larger than ${maxFileBytes} bytes.`);
}

/** A new file replaces the old one, so that a hard link to a file outside is never written through. */
async function replace(target: ResolvedPath, text: string, mode: number): Promise<void> {
  const fresh = join(target.folder.base, `.${randomUUID()}.new`);
  const handle = await open(fresh, newFileFlags, mode);
  try {
    try {
      await handle.writeFile(text);
      // The umask may have removed bits of the existing file's mode.
      await handle.chmod(mode);
    } finally {
      await handle.close();
    }
    await rename(fresh, target.system);
  } catch (error) {
    await unlink(fresh);
    throw error;
  }
}

function entryKind(found: Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): FolderEntry['kind'] {
  if (found.isFile()) return 'file';
  if (found.isDirectory()) return 'folder';
  return found.isSymbolicLink() ? 'link' : 'other';
}

/** The root itself cannot be deleted or moved. */
function refuseRoot(target: ResolvedPath): void {
  if (target.name === '.') throw new PathRefused('bad_path', 'The path is not an entry of a folder.');
}

/** Uses a second link, which, unlike a rename, never replaces a file that appeared meanwhile. */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EMLINK'].includes(errorCode(error) ?? '')) throw error;
    // The file system has no hard links.
    await rename(from, to);
    return;
  }
  await unlink(from);
}

async function moveBetween(source: ResolvedPath, target: ResolvedPath, isFolder: boolean): Promise<void> {
  try {
    if (isFolder) {
      await rename(source.system, target.system);
    } else {
      await moveFile(source.system, target.system);
    }
  } catch (error) {
    const code = errorCode(error) ?? '';
    if (code === 'EEXIST' || code === 'ENOTEMPTY') throw new PathRefused('exists', `${target.path} exists already.`);
    if (code === 'EINVAL') throw new PathRefused('bad_path', 'A folder cannot be moved into itself.');
    throw error;
  }
}

/**
 * The files below a folder. Every call throws PathRefused for a path that leads outside or to the wrong kind of entry,
 * and system errors.
 * @param root absolute, with links resolved
 * @param hidden absolute paths that are not to be touched or seen, e.g. the worker's state folder
 */
export function createSandboxedFiles(root: string, hidden: readonly string[] = []): SandboxedFiles {
  return {
    async readText(path) {
      await using target = await resolvePath(path, { root, hidden, last: 'target' });
      const bytes = await readBytes(target);
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      } catch {
        throw new PathRefused('not_a_file', `${target.path} is not UTF-8 text.`);
      }
    },
    async writeText(path, text) {
      if (Buffer.byteLength(text) > maxFileBytes) throw tooLarge(path.slice(0, 200));
      await using target = await resolvePath(path, { root, hidden, last: 'target', makeFolders: true });
      const before = target.name === '.' ? undefined : await statEntry(target);
      if (target.name === '.' || (before && !before.isFile())) {
        throw new PathRefused('not_a_file', `${target.path || '.'} is not a file.`);
      }
      await replace(target, text, before === undefined ? 0o644 : Number(before.mode) & 0o777);
      return before === undefined ? 'created' : 'changed';
    },
    async list(path) {
      await using target = await resolvePath(path, { root, hidden, last: 'folder' });
      const entries = await readdir(target.system, { withFileTypes: true });
      return entries
        .filter(({ name }) => !isGuarded(name) && !hidden.includes(join(root, target.path, name)))
        .map((entry) => ({ path: join(target.path, entry.name), kind: entryKind(entry) }))
        .toSorted((a, b) => (a.path < b.path ? -1 : 1));
    },
    async remove(path) {
      await using target = await resolvePath(path, { root, hidden, last: 'entry' });
      refuseRoot(target);
      const found = await statEntry(target);
      if (found === undefined) throw notFound(target.path);
      try {
        await (found.isDirectory() ? rmdir(target.system) : unlink(target.system));
      } catch (error) {
        if (errorCode(error) !== 'ENOTEMPTY') throw error;
        throw new PathRefused('exists', `${target.path} is a folder that is not empty.`);
      }
    },
    async move(from, to) {
      await using source = await resolvePath(from, { root, hidden, last: 'entry' });
      refuseRoot(source);
      const found = await statEntry(source);
      if (found === undefined) throw notFound(source.path);
      if (hidden.some((hiddenPath) => hiddenPath.startsWith(`${join(root, source.path)}/`))) {
        throw new PathRefused('guarded', `${source.path} contains files that agents' tools cannot use.`);
      }
      await using target = await resolvePath(to, { root, hidden, last: 'entry', makeFolders: true });
      refuseRoot(target);
      if ((await statEntry(target)) !== undefined) throw new PathRefused('exists', `${target.path} exists already.`);
      await moveBetween(source, target, found.isDirectory());
    },
  };
}
