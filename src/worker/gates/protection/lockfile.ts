// Entries of lockfiles that keep their version and change what is installed under it. runs-18.
import { posix } from 'node:path';
import { z } from 'zod';

/** `name@version` of each entry, with everything that decides what is installed. */
type LockEntries = ReadonlyMap<string, ReadonlySet<string>>;

const npmEntry = z.object({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
});
const npmLock = z.object({
  packages: z.record(z.string(), npmEntry).default({}),
  dependencies: z.record(z.string(), npmEntry).catch({}),
});

class Entries {
  readonly found = new Map<string, Set<string>>();

  add(name: string, version: string, content: string): void {
    const key = `${name}@${version}`;
    this.found.set(key, (this.found.get(key) ?? new Set()).add(content));
  }
}

function npmEntries(text: string): LockEntries {
  const entries = new Entries();
  let lock;
  try {
    lock = npmLock.safeParse(JSON.parse(text)).data;
  } catch {
    lock = undefined;
  }
  const rows = [...Object.entries(lock?.packages ?? {}), ...Object.entries(lock?.dependencies ?? {})];
  for (const [path, { version = '', resolved = '', integrity = '', link = false }] of rows) {
    if (path !== '') entries.add(path, version, `${resolved} ${integrity} ${link ? 'link' : ''}`);
  }
  return entries.found;
}

/** Blocks of `[[package]]` with `name` and `version`: Cargo, uv, Poetry. */
function tomlEntries(text: string): LockEntries {
  const entries = new Entries();
  for (const block of text.split(/^\[\[package\]\]$/m).slice(1)) {
    const value = (key: string): string => new RegExp(`^${key} = (.*)$`, 'm').exec(block)?.[1] ?? '';
    const hashes = [...block.matchAll(/(?:sha256:|checksum = )"?[0-9a-f]+/g)].map(([hash]) => hash).toSorted();
    entries.add(value('name'), value('version'), `${value('source')} ${hashes.join(' ')}`);
  }
  return entries.found;
}

/** Blocks whose first line is not indented: yarn and pnpm. */
function blockEntries(text: string): LockEntries {
  const entries = new Entries();
  for (const block of text.split(/\n(?=\S)|\n(?= {2}\S.*:\s*$)/)) {
    const [name = '', ...lines] = block.split('\n');
    const decisive = lines.filter((line) => /\b(resolved|integrity|checksum|resolution|tarball)\b/.test(line));
    const version = lines.find((line) => /^\s+version:?\s/.test(line)) ?? '';
    if (decisive.length > 0) entries.add(name.trim(), version.trim(), decisive.map((line) => line.trim()).join(' '));
  }
  return entries.found;
}

/** Lines of `module version hash`. */
function lineEntries(text: string): LockEntries {
  const entries = new Entries();
  for (const line of text.split('\n')) {
    const [name = '', version = '', hash = ''] = line.trim().split(/\s+/);
    if (hash !== '') entries.add(name, version, hash);
  }
  return entries.found;
}

function readEntries(path: string, text: string): LockEntries {
  const name = posix.basename(path);
  if (name === 'package-lock.json' || name === 'npm-shrinkwrap.json') return npmEntries(text);
  if (name === 'pnpm-lock.yaml' || name === 'yarn.lock') return blockEntries(text);
  if (name.endsWith('.lock')) return tomlEntries(text);
  return name === 'go.sum' ? lineEntries(text) : new Map();
}

function isLocal(content: string): boolean {
  return /(^|[\s"'(@])(file:|link:|workspace:|\.{1,2}\/|\/)|\blink$/.test(content);
}

/** Name of a package without its version. */
function packageOf(key: string): string {
  return key.slice(0, key.lastIndexOf('@'));
}

/**
 * Entries under an unchanged version that are installed from elsewhere or with other content, and packages of a registry
 * that now come from a folder.
 */
export function tamperedEntries(path: string, before: string, after: string): string[] {
  const [old, now] = [readEntries(path, before), readEntries(path, after)];
  const remote = new Set([...old].filter(([, all]) => ![...all].some(isLocal)).map(([key]) => packageOf(key)));
  return [...now].flatMap(([key, contents]) => {
    const known = old.get(key);
    const changed = known !== undefined && [...contents].some((content) => !known.has(content));
    const moved = known === undefined && remote.has(packageOf(key)) && [...contents].some(isLocal);
    return changed || moved ? [key] : [];
  });
}

/** Paths of archives and folders that `file:` dependencies of a manifest or a lockfile name, relative to the repository. */
export function localDependencies(path: string, text: string): string[] {
  const folder = posix.dirname(path);
  return [...text.matchAll(/["']?file:([^"'\s#]+)/g)].map(([, target = '']) =>
    posix.normalize(posix.join(folder, target)),
  );
}
