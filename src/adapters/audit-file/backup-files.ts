// The files of an audit for a backup, and their place after a restore: read as they grow, put back as an ended chain.
import { open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { chainActions, type AuditLine, type ChainHead } from '../../domain/model/audit-line.ts';
import { byteLines } from '../../lib/text/byte-lines.ts';
import { errorCode } from '../../lib/system/error-code.ts';
import { syncFolder } from '../../lib/system/sync-folder.ts';
import { fullName, fullSegments, markOf, parseFullName, readSegments, restoredPrefix } from './segments.ts';
import { readLastLine } from './tail.ts';

export interface BackupAuditFile {
  /** Without a folder. */
  readonly name: string;
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
}

type ParseLine = (bytes: Buffer) => AuditLine | undefined;

/** Lines are far shorter; a batch that is being written may be of many. */
const windowBytes = 1024 * 1024;
const lineBreak = 0x0a;

/**
 * The audit file, the full files beside it, and those of restored chains, each up to its last complete line.
 * @param logPath of the file that a service may be writing now
 */
export async function* readAuditFiles(logPath: string): AsyncGenerator<BackupAuditFile, void, undefined> {
  // Opened first: a file that is rotated meanwhile is then read twice rather than not at all, and left out once.
  const current = await openIfThere(logPath);
  try {
    const currentInode = current === undefined ? undefined : (await current.stat()).ino;
    const full = await fullSegments(logPath);
    for (const { path: file } of [...full, ...(await allRestored(logPath))]) {
      if ((await stat(file)).ino === currentInode) continue;
      yield* readUpToLine(file, path.basename(file));
    }
    if (current !== undefined) yield* readHandle(current, path.basename(logPath));
  } finally {
    await current?.close();
  }
}

async function allRestored(logPath: string): Promise<{ path: string }[]> {
  const folder = path.dirname(logPath);
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name.startsWith(restoredPrefix));
  const files = await Promise.all(
    folders.map(async ({ name }) => {
      const inside = await readdir(path.join(folder, name));
      return inside.map((file) => ({ path: path.join(folder, name, file) }));
    }),
  );
  return files.flat().filter((file) => parseFullName(file.path) !== undefined);
}

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function* readUpToLine(file: string, name: string): AsyncGenerator<BackupAuditFile, void, undefined> {
  const handle = await openIfThere(file);
  if (handle === undefined) return;
  try {
    yield* readHandle(handle, name);
  } finally {
    await handle.close();
  }
}

async function* readHandle(handle: FileHandle, name: string): AsyncGenerator<BackupAuditFile, void, undefined> {
  const size = await completeSize(handle);
  if (size > 0) yield { name, size, content: bytesOf(handle, size) };
}

/** Bytes up to the last line break: the writer may be in the middle of a line. */
async function completeSize(handle: FileHandle): Promise<number> {
  const { size } = await handle.stat();
  const start = Math.max(0, size - windowBytes);
  const window = Buffer.alloc(size - start);
  await handle.read(window, 0, window.length, start);
  const end = window.lastIndexOf(lineBreak);
  return end < 0 ? 0 : start + end + 1;
}

async function* bytesOf(handle: FileHandle, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  for (let position = 0; position < size;) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(windowBytes, size - position)), { position });
    if (bytesRead === 0) throw new Error('the audit file became shorter while it was read');
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** The folder beside an audit file for the chains of one backup. */
export function restoredFolder(logPath: string, name: string): string {
  return path.join(path.dirname(logPath), `${restoredPrefix}${name}`);
}

/** Writes one file of a backup, under a name of its own until all are there. */
export async function writeRestored(folder: string, n: number, content: AsyncIterable<Uint8Array>): Promise<void> {
  await using file = await open(path.join(folder, String(n)), 'w', 0o600);
  await file.writeFile(content);
  await file.sync();
}

/**
 * Gives the files their names, all of them those of full files: nothing is ever appended to them.
 * @param names of the files in the backup, the first of which was written as number 1
 * @returns the end of the chain that was being written; undefined: there was none
 */
export async function adoptRestored(
  folder: string,
  names: readonly string[],
  parse: ParseLine,
): Promise<ChainHead | undefined> {
  let head: ChainHead | undefined;
  for (const [i, name] of names.entries()) {
    const written = path.join(folder, String(i + 1));
    if (parseFullName(path.basename(name)) !== undefined) {
      await rename(written, path.join(folder, path.basename(name)));
      continue;
    }
    // The last file is the one that was being written; the full files before it are in their places.
    const found = await identify(folder, written, parse);
    if (found === undefined) {
      await rm(written);
      continue;
    }
    await rename(written, fullName(path.join(folder, 'audit.jsonl'), found.head.chain, found.firstSeq));
    head = found.head;
  }
  await syncFolder(folder);
  return head;
}

/** The chain of a file, by the first entry that names it; a file may begin after it, and then its full files name it. */
async function identify(
  folder: string,
  file: string,
  parse: ParseLine,
): Promise<{ readonly head: ChainHead; readonly firstSeq: number } | undefined> {
  const last = await readLastLine(file, (bytes) => parse(bytes) !== undefined);
  const end = last === undefined ? undefined : parse(last);
  if (end === undefined) return undefined;
  let first: AuditLine | undefined;
  for await (const segment of readSegments([file])) {
    for await (const { bytes } of byteLines(segment.bytes)) {
      const entry = parse(bytes);
      if (entry === undefined) return undefined;
      first ??= entry;
      const chain = chainOf(entry) ?? (entry === first ? await chainBefore(folder, entry, parse) : undefined);
      if (chain !== undefined) return { head: { chain, seq: end.seq, hash: end.hash }, firstSeq: first.seq };
    }
  }
  return undefined;
}

/** Its opening and its checkpoints name a chain. */
function chainOf({ action, metadata }: AuditLine): string | undefined {
  const isNamed = action === chainActions.opened || action === chainActions.checkpoint;
  return isNamed && typeof metadata['chain'] === 'string' ? metadata['chain'] : undefined;
}

/** The chain of the full file whose last line this line follows. */
async function chainBefore(folder: string, next: AuditLine, parse: ParseLine): Promise<string | undefined> {
  for (const name of await readdir(folder)) {
    const parsed = parseFullName(name);
    if (parsed === undefined) continue;
    const last = await readLastLine(path.join(folder, name), (bytes) => parse(bytes) !== undefined);
    const entry = last === undefined ? undefined : parse(last);
    if (entry?.hash !== next.prev_hash) continue;
    const opening = (await readdir(folder)).find((one) => {
      const other = parseFullName(one);
      return other?.mark === parsed.mark && other.firstSeq === 1;
    });
    const first = opening === undefined ? undefined : await firstEntry(path.join(folder, opening), parse);
    const chain = first === undefined ? undefined : chainOf(first);
    if (chain !== undefined && markOf(chain) === parsed.mark) return chain;
  }
  return undefined;
}

async function firstEntry(file: string, parse: ParseLine): Promise<AuditLine | undefined> {
  for await (const segment of readSegments([file])) {
    for await (const { bytes } of byteLines(segment.bytes)) return parse(bytes);
  }
  return undefined;
}
