// Parses a line of the audit; a line is valid only if its bytes are exactly those that its hash was computed over.
import type { AuditLine } from '../model/audit-line.ts';
import { sha256 } from '../../lib/digest.ts';
import { tryParseJson } from '../../lib/json/json-text.ts';

/** `,"hash":"` + 64 characters + `"}` */
const tailBytes = 9 + 64 + 2;
const tailPattern = /^,"hash":"([0-9a-f]{64})"\}$/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

export interface ParsedLine {
  readonly entry: AuditLine;
  /** The line without its line break. */
  readonly text: string;
}

/** @returns a sentence that says what is wrong, when the audit did not write this line */
export function parseLine(bytes: Buffer): ParsedLine | string {
  const recordedHash = tailPattern.exec(bytes.toString('latin1', Math.max(0, bytes.length - tailBytes)))?.[1];
  if (recordedHash === undefined) return 'the line does not end with its hash';
  if (sha256(bytes.subarray(0, -tailBytes), 'hex') !== recordedHash) return 'its bytes do not match its hash';
  const text = decodeUtf8(bytes);
  const value = text === undefined ? undefined : tryParseJson(text);
  if (text === undefined || !isAuditLine(value)) return 'it is not an audit entry';
  return { entry: value, text };
}

/** The entry of a line; undefined: the audit did not write it. */
export function parseEntry(bytes: Buffer): AuditLine | undefined {
  const read = parseLine(bytes);
  return typeof read === 'string' ? undefined : read.entry;
}

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    // The bytes are not UTF-8: the audit did not write them.
    return undefined;
  }
}

/** Checks the fields that verification uses; the hash covers the others. */
function isAuditLine(value: unknown): value is AuditLine {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map(Object.entries(value));
  const texts = ['id', 'timestamp', 'actor', 'action', 'resource', 'outcome', 'tenant_id', 'prev_hash', 'hash'];
  return (
    texts.every((name) => typeof fields.get(name) === 'string') &&
    Number.isSafeInteger(fields.get('seq')) &&
    typeof fields.get('metadata') === 'object' &&
    fields.get('metadata') !== null
  );
}
