// Records what an import could not take over unchanged: nothing is dropped in silence. runs-13.
import { DomainError } from '../../model/errors.ts';
import type { Prd, PrdFinding } from '../../model/prd/prd.ts';
import { lintPrd } from '../lint.ts';
import { requirePrd } from '../parse-prd.ts';

/** One file as the caller gave it. */
export interface ImportFile {
  readonly name: string;
  readonly content: string;
}

/** Something of a file that has no place in a PRD. `path` is a member (`tasks.0.owner`), a line (`tasks.md:12`) or a file. */
export interface DroppedPart {
  readonly path: string;
  readonly value: unknown;
}

export interface ImportedPrd {
  readonly prd: Prd;
  readonly warnings: readonly PrdFinding[];
  readonly dropped: readonly DroppedPart[];
}

/** Collects warnings and dropped parts, and completes the import. */
export class ImportLog {
  readonly #warnings: PrdFinding[] = [];
  readonly #dropped: DroppedPart[] = [];

  warn(code: string, path: string, message: string): void {
    this.#warnings.push({ code, path, message });
  }

  drop(path: string, value: unknown): void {
    this.#dropped.push({ path, value });
  }

  /**
   * The result of an import. What prevents a run, and each story that counts as passed, becomes a warning.
   * @param document the PRD as a document in camelCase
   * @throws DomainError invalid `invalid_prd` when even the mapped document breaks a bound, such as 100 stories
   */
  complete(document: Readonly<Record<string, unknown>>): ImportedPrd {
    const prd = requirePrd(document);
    const { errors, warnings } = lintPrd(prd);
    const passed = warnings.filter(({ code }) => code === 'passed_by_import');
    return { prd, warnings: [...this.#warnings, ...errors, ...passed], dropped: this.#dropped };
  }
}

/** The error for files that an importer cannot take. */
export function notImportable(message: string): DomainError {
  return new DomainError('invalid', 'invalid_prd', message);
}

/** Lower-case words joined by "-", for the name of a branch; `fallback` when no letter or digit is in the text. */
export function slugOf(text: string, fallback: string): string {
  const slug = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, '');
  return slug === '' ? fallback : slug;
}

/** Paragraphs of those texts that are not blank. */
export function joinParagraphs(...texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text.trim() !== '').join('\n\n');
}
