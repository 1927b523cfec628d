// Checks audit files on this machine without a service: what `switchyard audit verify` runs.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import {
  fullSegments,
  markOf,
  parseFullName,
  readSegments,
  restoredSegments,
} from '../../adapters/audit-file/segments.ts';
import { readPublicKey } from '../../adapters/audit-file/signing-key.ts';
import { firstLine } from '../../adapters/audit-file/tail.ts';
import { checkChain, type ChainReport } from '../../domain/audit/chain-check.ts';
import { parseEntry, parseLine } from '../../domain/audit/parse-line.ts';
import { followedChain } from '../../domain/audit/verify.ts';

export interface AuditCheck {
  readonly report: ChainReport;
  /** Files that were read. */
  readonly files: readonly string[];
  /** True: signatures were checked against a key that the caller named; false: against the key that the chain itself names. */
  readonly keyed: boolean;
  /** The chain of the backup that this one follows, whose files lie beside it; undefined: it follows none here. */
  readonly followed?: ChainReport;
}

export class UnreadableAuditError extends Error {
  override readonly name = 'UnreadableAuditError';
}

/**
 * Checks a file together with the earlier files of its chain; an earlier file is checked alone.
 * @param keyFile PEM of the signing key or its public half; undefined: the key in the chain's first line
 * @throws UnreadableAuditError
 */
export async function checkAuditFile(file: string, keyFile: string | undefined): Promise<AuditCheck> {
  try {
    await stat(file);
    const publicKey = keyFile === undefined ? undefined : await readPublicKey(keyFile);
    const part = parseFullName(file);
    const files = part === undefined ? await findChainFiles(file) : [file];
    const report = await checkChain(readSegments(files), { publicKey, firstSeq: part?.firstSeq });
    const followed = await checkFollowed(file, files[0]);
    return { report, files, keyed: publicKey !== undefined, ...(followed && { followed }) };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UnreadableAuditError(`${file} cannot be checked: ${why}`, { cause });
  }
}

/** The chain that the first line names because of a restore, with the entry that it names in it. */
async function checkFollowed(file: string, oldest: string | undefined): Promise<ChainReport | undefined> {
  const first = oldest === undefined ? undefined : await firstLine(oldest);
  const entry = first === undefined ? undefined : parseEntry(first);
  const head = entry === undefined ? undefined : followedChain(entry);
  if (head === undefined) return undefined;
  const mark = markOf(head.chain);
  const beside = (await fullSegments(file)).filter((segment) => segment.mark === mark);
  const segments = beside.length > 0 ? beside : await restoredSegments(file, mark);
  if (segments.length === 0) return undefined;
  const known = new Map([[head.seq, head.hash]]);
  return checkChain(readSegments(segments.map((segment) => segment.path)), { known });
}

/** The earlier files of a file's chain, and the file itself. */
async function findChainFiles(file: string): Promise<string[]> {
  const earlierFiles = await fullSegments(file);
  const first = await firstLine(file);
  const opening = first === undefined ? undefined : parseLine(first);
  const entry = typeof opening === 'object' ? opening.entry : undefined;
  if (entry?.seq === 1 || earlierFiles.length === 0) return [file];
  const chain = entry?.metadata['chain'];
  const mark = typeof chain === 'string' ? markOf(chain) : await newestMark(earlierFiles.map((one) => one.path));
  return [...earlierFiles.filter((one) => one.mark === mark).map((one) => one.path), file];
}

/** The mark of the file that was written last. */
async function newestMark(files: readonly string[]): Promise<string | undefined> {
  const dated = await Promise.all(files.map(async (file) => ({ file, at: (await stat(file)).mtimeMs })));
  const newest = dated.toSorted((a, b) => a.at - b.at).at(-1)?.file;
  return newest === undefined ? undefined : parseFullName(path.resolve(newest))?.mark;
}
