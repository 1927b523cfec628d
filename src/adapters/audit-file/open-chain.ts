// Opens the audit chain of a file for appending: locks it, repairs its end, identifies the chain; or starts a new one.
import { rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { noHash, type AuditLine, type ChainHead } from '../../domain/model/audit-line.ts';
import { AuditFileError } from './error.ts';
import type { AppendHandle } from './append-handle.ts';
import { AppendedFile } from './chain-file.ts';
import { lockFile } from './file-lock.ts';
import { fullName, fullSegments, type FullSegment } from './segments.ts';
import { readLastLine, firstLine, repairTail, type TruncatedEnd, type Tail } from './tail.ts';
import { makeFolder } from '../../lib/system/make-folder.ts';
import { syncFolder } from '../../lib/system/sync-folder.ts';

export interface OpenChainOptions {
  readonly path: string;
  /** The file is rotated at this size. */
  readonly maxBytes: number;
  readonly makeId: () => string;
  readonly now: () => number;
  /** Parses a line; undefined for a line that the audit did not write. */
  readonly parse: (bytes: Buffer) => AuditLine | undefined;
  /** Why the chain that was found cannot be continued, in a word; undefined when it can. */
  readonly ended: (head: ChainHead, publicKey: string) => Promise<string | undefined>;
  readonly openFile?: ((path: string) => Promise<AppendHandle>) | undefined;
}

export interface OpenedChain {
  readonly file: AppendedFile;
  readonly head: ChainHead;
  /** The bytes that were cut off the end of the file. */
  readonly cut: TruncatedEnd | undefined;
  /** The previous chain of this file, if it could not be continued, and why. */
  readonly before: (ChainHead & { readonly why: string }) | undefined;
}

interface Found {
  readonly head: ChainHead;
  readonly publicKey: string;
  /** Sequence number of the file's first line. */
  readonly firstSeq: number;
}

/** @throws AuditFileError audit_locked, audit_damaged; the system's error */
export async function openChain(options: OpenChainOptions): Promise<OpenedChain> {
  await makeFolder(path.dirname(options.path), 0o700);
  const lock = lockFile(options.path);
  try {
    const tail = await repairTail(options.path, (bytes) => options.parse(bytes) !== undefined, options.now());
    const found = await findChain(options, tail);
    const why = found === undefined ? undefined : await options.ended(found.head, found.publicKey);
    if (found !== undefined && why !== undefined && tail.last !== undefined) await setAside(options.path, found);
    const continues = found !== undefined && why === undefined;
    const head = continues ? found.head : { chain: options.makeId(), seq: 0, hash: noHash };
    const { maxBytes, openFile } = options;
    const file = new AppendedFile({
      path: options.path,
      chain: head.chain,
      firstSeq: continues ? found.firstSeq : 1,
      size: continues ? tail.size : 0,
      maxBytes,
      lock,
      openFile,
    });
    const before = found === undefined || why === undefined ? undefined : { ...found.head, why };
    return { file, head, cut: tail.cut, before };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Renames the file of a chain that cannot be continued, as if it were full. */
async function setAside(file: string, { head, firstSeq }: Found): Promise<void> {
  await rename(file, fullName(file, head.chain, firstSeq));
  await syncFolder(path.dirname(file));
}

async function findChain(options: OpenChainOptions, tail: Tail): Promise<Found | undefined> {
  const segments = await fullSegments(options.path);
  if (tail.last === undefined) {
    // The last file may have been rotated without a new one being started: continue the newest full file's chain.
    const newest = await newestOf(segments);
    if (newest === undefined) return undefined;
    const last = await readLastLine(newest.path, (bytes) => options.parse(bytes) !== undefined);
    return findInSegments(options, newest.mark, last, (entry) => entry.seq + 1);
  }
  const first = entryOf(options, await firstLine(options.path));
  if (first?.seq === 1) return toFoundChain(options, first, tail.last, 1);
  for (const mark of new Set(segments.map((segment) => segment.mark))) {
    const found = await findInSegments(options, mark, tail.last, () => first?.seq ?? 1);
    if (found !== undefined && (await precedes(options, mark, first))) return found;
  }
  throw new AuditFileError(
    'audit_damaged',
    `The audit file ${options.path} continues an earlier file that is missing.`,
    'Put its earlier files back beside it, or move it away: the next start opens a new chain.',
  );
}

async function findInSegments(
  options: OpenChainOptions,
  mark: string,
  last: Buffer | undefined,
  firstSeqOf: (last: AuditLine) => number,
): Promise<Found | undefined> {
  const [first] = (await fullSegments(options.path)).filter((segment) => segment.mark === mark);
  const opening = first === undefined ? undefined : entryOf(options, await firstLine(first.path));
  const entry = entryOf(options, last);
  return opening === undefined || entry === undefined
    ? undefined
    : toFoundChain(options, opening, last, firstSeqOf(entry));
}

/** Whether a line's `prev_hash` names the last line of a chain's full files. */
async function precedes(options: OpenChainOptions, mark: string, next: AuditLine | undefined): Promise<boolean> {
  const last = (await fullSegments(options.path)).findLast((segment) => segment.mark === mark);
  if (last === undefined || next === undefined) return false;
  const end = await readLastLine(last.path, (bytes) => options.parse(bytes) !== undefined);
  return entryOf(options, end)?.hash === next.prev_hash;
}

async function newestOf(segments: readonly FullSegment[]): Promise<FullSegment | undefined> {
  const dated = await Promise.all(segments.map(async (one) => ({ one, at: (await stat(one.path)).mtimeMs })));
  return dated.toSorted((a, b) => a.at - b.at || a.one.firstSeq - b.one.firstSeq).at(-1)?.one;
}

function entryOf(options: OpenChainOptions, bytes: Buffer | undefined): AuditLine | undefined {
  return bytes === undefined ? undefined : options.parse(bytes);
}

/** Reads the chain's id and public key from its first line. */
function toFoundChain(
  options: OpenChainOptions,
  opening: AuditLine,
  last: Buffer | undefined,
  firstSeq: number,
): Found | undefined {
  const { chain, key } = opening.metadata;
  const entry = entryOf(options, last);
  if (entry === undefined || typeof chain !== 'string' || typeof key !== 'string') return undefined;
  return { head: { chain, seq: entry.seq, hash: entry.hash }, publicKey: key, firstSeq };
}
