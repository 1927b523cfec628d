// The files of a chain: full ones are named after the chain and their first entry, the current one has the plain name.
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ChainSegment } from '../../domain/ports/audit-chain.ts';
import { errorCode } from '../../lib/system/error-code.ts';

const seqDigits = 12;

export interface FullSegment {
  readonly path: string;
  /** The end of the chain's id. */
  readonly mark: string;
  readonly firstSeq: number;
}

/** Identifies a chain in file names. The end of the id, for ids created together share their first characters. */
export function markOf(chain: string): string {
  return chain.slice(-12);
}

/** `audit.jsonl` → `audit.<chain>.<first entry>.jsonl`; names sort in the order of the entries. */
export function fullName(file: string, chain: string, firstSeq: number): string {
  const { dir, name, ext } = path.parse(file);
  return path.join(dir, `${name}.${markOf(chain)}.${String(firstSeq).padStart(seqDigits, '0')}${ext}`);
}

/** The parts of a full file's name; undefined for any other name. */
export function parseFullName(
  file: string,
): { readonly base: string; readonly mark: string; readonly firstSeq: number } | undefined {
  const { dir, name, ext } = path.parse(file);
  const [, base, mark, seq] = /^(.+)\.([0-9a-f]{12})\.(\d{12})$/.exec(name) ?? [];
  if (base === undefined || mark === undefined || seq === undefined) return undefined;
  return { base: path.join(dir, `${base}${ext}`), mark, firstSeq: Number(seq) };
}

/** The full files of every chain in the folder of a file, sorted by name. */
export async function fullSegments(file: string): Promise<FullSegment[]> {
  const folder = path.dirname(file);
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  return names
    .toSorted((a, b) => (a < b ? -1 : 1))
    .flatMap((name) => {
      const full = path.join(folder, name);
      const parsed = parseFullName(full);
      return parsed?.base === path.join(folder, path.basename(file)) ? [{ path: full, ...parsed }] : [];
    });
}

/** Folders beside an audit file begin so that hold the files of chains from a backup: other ones continue none of them. */
export const restoredPrefix = 'restored-';

/** The files of a chain of a backup, oldest first, from the folders beside an audit file. */
export async function restoredSegments(file: string, mark: string): Promise<FullSegment[]> {
  const folder = path.dirname(file);
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  const found: FullSegment[] = [];
  for (const { name } of entries.filter((entry) => entry.isDirectory() && entry.name.startsWith(restoredPrefix))) {
    for (const inside of await readdir(path.join(folder, name))) {
      const full = path.join(folder, name, inside);
      const parsed = parseFullName(full);
      if (parsed?.mark === mark) found.push({ path: full, mark, firstSeq: parsed.firstSeq });
    }
  }
  // A chain of a backup of a restored installation is in two folders, once as it was and once longer.
  const longest = new Map<number, FullSegment>();
  for (const segment of found.toSorted((a, b) => (a.path < b.path ? -1 : 1))) longest.set(segment.firstSeq, segment);
  return [...longest.values()].toSorted((a, b) => a.firstSeq - b.firstSeq);
}

/** The bytes of files, one after another. Missing files are skipped. */
export async function* readSegments(
  files: readonly string[],
  upTo: (file: string) => number | undefined = () => undefined,
): AsyncGenerator<ChainSegment, void, undefined> {
  for (const file of files) {
    const facts = await stat(file).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    });
    if (facts === undefined) continue;
    const size = Math.min(facts.size, upTo(file) ?? facts.size);
    yield { path: file, changedAt: facts.mtimeMs, bytes: bytesOf(file, size) };
  }
}

async function* bytesOf(file: string, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  if (size === 0) return;
  const stream: AsyncIterable<Buffer> = createReadStream(file, { end: size - 1, highWaterMark: 1024 * 1024 });
  yield* stream;
}
