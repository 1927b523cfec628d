// Reads a PRD from an object, YAML or JSON text into its one normalised form, and decides whether a run can take it. runs-13.
import { findJsonViolation } from '../../lib/json/json-violation.ts';
import { DomainError } from '../model/errors.ts';
import type { Prd, PrdFinding } from '../model/prd/prd.ts';
import { readPrdDocument } from './document/read-document.ts';
import { maxDocumentBytes, maxDocumentDepth, readDocumentText } from './document/read-text.ts';
import { UnreadableDocument } from './document/yaml-value.ts';
import { lintPrd } from './lint.ts';

/** A document that can be read, or why it cannot. */
export type PrdReading = { readonly prd: Prd } | { readonly errors: readonly PrdFinding[] };

/** The findings about a document. Without errors a run can take it. */
export interface PrdReport {
  readonly valid: boolean;
  readonly errors: readonly PrdFinding[];
  readonly warnings: readonly PrdFinding[];
}

/**
 * The PRD of an object or of a text in YAML 1.2 or JSON. It never throws. A document that is read may still have lint
 * errors, such as a cycle.
 * @returns `prd`, or `errors` with the code `invalid_prd` and the path of each fault
 */
export function parsePrd(input: unknown): PrdReading {
  try {
    const value = typeof input === 'string' ? readDocumentText(input) : input;
    return unstorableIn(value) ?? readPrdDocument(value);
  } catch (error) {
    if (error instanceof UnreadableDocument) return unreadable('', error.message);
    throw error;
  }
}

/** The answer of `POST /v1/ralph/lint` about any input. */
export function reportOnPrd(input: unknown): PrdReport {
  const reading = parsePrd(input);
  if ('errors' in reading) return { valid: false, errors: reading.errors, warnings: [] };
  const { errors, warnings } = lintPrd(reading.prd);
  return { valid: errors.length === 0, errors, warnings };
}

/**
 * The PRD of an input, which may still have lint errors: for drafts.
 * @throws DomainError invalid `invalid_prd`, with the path of each fault
 */
export function requirePrd(input: unknown): Prd {
  const reading = parsePrd(input);
  if ('errors' in reading) throw invalidPrd(reading.errors);
  return reading.prd;
}

/**
 * The PRD that a run is created from, and its warnings.
 * @throws DomainError invalid `invalid_prd`, or `bad_branch_name` when the name is all that is wrong
 */
export function requireRunnablePrd(input: unknown): { readonly prd: Prd; readonly warnings: readonly PrdFinding[] } {
  const prd = requirePrd(input);
  const { errors, warnings } = lintPrd(prd);
  if (errors.length > 0) throw invalidPrd(errors);
  return { prd, warnings };
}

/** The error for findings that prevent a run. */
export function invalidPrd(errors: readonly PrdFinding[]): DomainError {
  const code = errors.every((error) => error.code === 'bad_branch_name') ? 'bad_branch_name' : 'invalid_prd';
  const [first] = errors;
  const place = first === undefined || first.path === '' ? '' : `${first.path}: `;
  return new DomainError('invalid', code, `The PRD is not valid. ${place}${first?.message ?? 'It cannot be read'}`, {
    errors: errors.map(({ path, message }) => ({ path, message })),
  });
}

/** The fault of a value that the database cannot hold, or that is too large; undefined without one. */
function unstorableIn(value: unknown): PrdReading | undefined {
  const violation = findJsonViolation(value, maxDocumentDepth);
  if (violation !== undefined) return unreadable(violation.path.slice(1).replaceAll('/', '.'), violation.message);
  const planted = pathOfPrototypeKey(value);
  if (planted !== undefined) return unreadable(planted, 'is not a known field');
  const bytes = Buffer.byteLength(JSON.stringify(value) ?? '');
  return bytes > maxDocumentBytes ? unreadable('', 'The document is larger than 1 MiB.') : undefined;
}

/** The path of a member `__proto__`, at any depth: it is nobody's data, and code that copies it changes a prototype. */
function pathOfPrototypeKey(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const key of Object.keys(value)) {
    if (key === '__proto__') return key;
    const inside = pathOfPrototypeKey(Reflect.get(value, key));
    if (inside !== undefined) return `${key}.${inside}`;
  }
  return undefined;
}

function unreadable(path: string, message: string): PrdReading {
  return { errors: [{ code: 'invalid_prd', path, message }] };
}
