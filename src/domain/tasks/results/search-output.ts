// The verb that searches the printed output of a task for a text, line by line.
import { plainText } from '../../../lib/text/plain-text.ts';
import type { Caller } from '../../model/access/caller.ts';
import type { Store } from '../../ports/store/store.ts';
import type { OutputPiece } from '../../ports/task-results.ts';
import { findAttemptRange, requireTask } from '../read.ts';

export interface OutputSearch {
  readonly text: string;
  /** The sequence number after which the search begins; 0: the beginning. */
  readonly after: number;
  readonly attemptId?: string | undefined;
  /** The most hits. */
  readonly limit: number;
}

/** A line that contains the text. */
export interface OutputHit {
  /** The number of the piece in which the line begins. */
  readonly seq: number;
  readonly line: number;
  /** The line, or the part of a long one around its first hit. */
  readonly text: string;
}

export interface OutputHits {
  readonly hits: readonly OutputHit[];
  /** Continues the search; null: the output was searched to its end. */
  readonly next: number | null;
  /** The line in which the search began. */
  readonly firstLine: number;
}

const batchSize = 100;
/** Characters that one call reads at most; `next` continues. */
const maxSearchedCharacters = 32 * 1024 * 1024;

/**
 * Finds the lines that contain a text, whatever its case; colours are ignored. Hits beyond the limit in the last piece
 * that was read are left out.
 * @throws DomainError not_found (task, attempt)
 */
export async function searchOutput(
  deps: { readonly store: Store },
  caller: Caller,
  taskId: string,
  search: OutputSearch,
): Promise<OutputHits> {
  const { range, firstLine } = await deps.store.within(caller, async (rows) => {
    await requireTask(rows, taskId);
    const whole = await findAttemptRange(rows, taskId, search.attemptId);
    const from = { ...whole, after: Math.max(whole.after, search.after) };
    return { range: from, firstLine: await rows.taskResults.lineAt(taskId, from.after + 1) };
  });
  const scanner = new LineScanner(search, firstLine);
  let { after } = range;
  let characters = 0;
  for (;;) {
    const from = { ...range, after };
    const pieces = await deps.store.within(caller, (rows) => rows.taskResults.outputAfter(taskId, from, batchSize));
    for (const piece of pieces) {
      scanner.read(piece);
      characters += piece.text.length;
      after = piece.seq;
      const isOver = scanner.isFull() || characters > maxSearchedCharacters;
      if (isOver) return { hits: scanner.finish(), next: after, firstLine };
    }
    if (pieces.length < batchSize) return { hits: scanner.finish(), next: null, firstLine };
  }
}

/** A line is matched at its end, a longer one in parts of this many characters that overlap. */
const maxPartCharacters = 16_000;
const overlapCharacters = 1000;
const shownCharacters = 500;

/** Joins pieces to lines and keeps those that match. */
class LineScanner {
  readonly #pattern: RegExp;
  readonly #limit: number;
  readonly #hits: OutputHit[] = [];
  #line: number;
  /** The piece in which the current line begins; its text so far and whether it is a hit already stand below. */
  #seq: number | undefined;
  #text = '';
  #isHit = false;

  constructor({ text, limit }: Pick<OutputSearch, 'text' | 'limit'>, firstLine: number) {
    this.#pattern = new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'iu');
    this.#limit = limit;
    this.#line = firstLine;
  }

  isFull(): boolean {
    return this.#hits.length >= this.#limit;
  }

  read({ seq, text }: Pick<OutputPiece, 'seq' | 'text'>): void {
    let start = 0;
    while (!this.isFull()) {
      const end = text.indexOf('\n', start);
      if (end >= 0 || start < text.length) this.#append(seq, text.slice(start, end < 0 ? undefined : end));
      if (end < 0) return;
      this.#endLine();
      start = end + 1;
    }
  }

  /** The hits, with the line that has no end yet. */
  finish(): readonly OutputHit[] {
    if (!this.isFull()) this.#match();
    return this.#hits;
  }

  #append(seq: number, part: string): void {
    this.#seq ??= seq;
    this.#text += part;
    if (this.#text.length <= maxPartCharacters) return;
    this.#match();
    this.#text = this.#text.slice(-overlapCharacters);
  }

  #endLine(): void {
    this.#match();
    this.#line += 1;
    this.#seq = undefined;
    this.#text = '';
    this.#isHit = false;
  }

  #match(): void {
    if (this.#isHit || this.#seq === undefined) return;
    const shown = plainText(this.#text);
    const at = this.#pattern.exec(shown)?.index;
    if (at === undefined) return;
    this.#isHit = true;
    const from = shown.length <= shownCharacters ? 0 : Math.max(0, at - shownCharacters / 5);
    const text = shown.slice(from, from + shownCharacters).toWellFormed();
    this.#hits.push({ seq: this.#seq, line: this.#line, text });
  }
}
