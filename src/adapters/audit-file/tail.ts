// Repairs the end of an audit file after a crash: finds the last complete line and cuts off the bytes behind it.
import { open, writeFile, type FileHandle } from 'node:fs/promises';
import { AuditFileError } from './error.ts';
import { errorCode } from '../../lib/system/error-code.ts';
import { sha256 } from '../../lib/digest.ts';

/** The last complete line is searched in this many bytes; a batch that a crash cut in half is far smaller. */
const windowBytes = 8 * 1024 * 1024;
const lineBreak = 0x0a;

export interface Tail {
  /** Bytes of complete lines. */
  readonly size: number;
  /** The last complete line; undefined in an empty file. */
  readonly last: Buffer | undefined;
  /** The bytes that were cut off behind it, if any. */
  readonly cut: TruncatedEnd | undefined;
}

export interface TruncatedEnd {
  readonly bytes: number;
  readonly sha256: string;
  /** The file in which complete but invalid lines are kept as evidence. */
  readonly keptAs: string | undefined;
}

/**
 * Reads the end of a file and cuts off everything behind its last valid line.
 * @param isLine whether bytes are a line that the audit wrote
 * @param now milliseconds since 1970; part of the name of the file that keeps invalid lines
 * @throws AuditFileError audit_damaged when the end of the file holds no valid line
 */
export async function repairTail(file: string, isLine: (bytes: Buffer) => boolean, now: number): Promise<Tail> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r+');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { size: 0, last: undefined, cut: undefined };
    throw error;
  }
  await using owned = handle;
  const { window, start, size } = await windowOf(owned);
  const found = lastLine(window, isLine);
  if (found === undefined && (start > 0 || window.includes(lineBreak))) throw damaged(file);
  const end = found?.end ?? 0;
  const behind = window.subarray(end);
  if (behind.length === 0) return { size, last: found?.bytes, cut: undefined };
  const keptAs = behind.includes(lineBreak) ? `${file}.cut-${now}` : undefined;
  if (keptAs !== undefined) await writeFile(keptAs, behind, { mode: 0o600, flag: 'wx', flush: true });
  await owned.truncate(start + end);
  await owned.sync();
  return {
    size: start + end,
    last: found?.bytes,
    cut: { bytes: behind.length, sha256: sha256(behind, 'hex'), keptAs },
  };
}

/** The last valid line, and the offset after its line break. */
function lastLine(window: Buffer, isLine: (bytes: Buffer) => boolean): { bytes: Buffer; end: number } | undefined {
  let end = window.lastIndexOf(lineBreak);
  while (end >= 0) {
    const start = end === 0 ? 0 : window.lastIndexOf(lineBreak, end - 1) + 1;
    const bytes = window.subarray(start, end);
    if (isLine(bytes)) return { bytes, end: end + 1 };
    end = start - 1;
  }
  return undefined;
}

/** The last valid line of a file, which is not changed; undefined without a file or a valid line. */
export async function readLastLine(file: string, isLine: (bytes: Buffer) => boolean): Promise<Buffer | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  await using owned = handle;
  return lastLine((await windowOf(owned)).window, isLine)?.bytes;
}

async function windowOf(handle: FileHandle): Promise<{ window: Buffer; start: number; size: number }> {
  const { size } = await handle.stat();
  const start = Math.max(0, size - windowBytes);
  const window = Buffer.alloc(size - start);
  await handle.read(window, 0, window.length, start);
  return { window, start, size };
}

/** The first line of a file; undefined without a file or a complete line. */
export async function firstLine(file: string): Promise<Buffer | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  await using owned = handle;
  const start = Buffer.alloc(256 * 1024);
  const { bytesRead } = await owned.read(start, 0, start.length, 0);
  const end = start.subarray(0, bytesRead).indexOf(lineBreak);
  return end < 0 ? undefined : start.subarray(0, end);
}

function damaged(file: string): AuditFileError {
  return new AuditFileError(
    'audit_damaged',
    `The audit file ${file} does not end with a valid audit line.`,
    'Check it with `switchyard audit verify FILE`, then move it away: the next start opens a new chain.',
  );
}
