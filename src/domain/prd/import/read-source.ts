// Reads the text of a foreign file as a value. The import rejects a text that cannot be read.
import { findJsonViolation } from '../../../lib/json/json-violation.ts';
import { maxDocumentDepth, readDocumentText } from '../document/read-text.ts';
import { UnreadableDocument } from '../document/yaml-value.ts';
import { notImportable, type ImportFile } from './import-log.ts';

/** Most bytes of a file: lists of tasks hold finished ones and other tags, so they are larger than the PRD that they make. */
export const maxImportBytes = 4 * 1024 * 1024;

/** The value of a JSON or YAML file. @throws DomainError invalid `invalid_prd` */
export function readSource(file: ImportFile): unknown {
  const reading = tryReadSource(file);
  if ('reason' in reading) throw notImportable(`${file.name} cannot be read: ${reading.reason}`);
  return reading.value;
}

/** The value of a file, or why it has none. */
export function tryReadSource(file: ImportFile): { readonly value: unknown } | { readonly reason: string } {
  try {
    const value = readDocumentText(file.content, maxImportBytes);
    const violation = findJsonViolation(value, maxDocumentDepth);
    return violation === undefined ? { value } : { reason: `${violation.path} ${violation.message}.` };
  } catch (error) {
    if (error instanceof UnreadableDocument) return { reason: error.message };
    throw error;
  }
}
