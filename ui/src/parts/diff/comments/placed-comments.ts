// Comments of a file at the lines where they stand now: found again by their quotes, outdated ones under the header.
import { findAnchor } from '../../../text/patch/anchor.ts';
import { sideLines } from '../../../text/patch/patch-units.ts';
import type { ReviewComment } from '../changed-file.ts';
import type { LoadedPatch } from '../patch/patch-store.ts';

export interface PlacedComment {
  readonly comment: ReviewComment;
  readonly state: 'same' | 'moved' | 'outdated' | 'file';
  readonly side: 'old' | 'new' | undefined;
  /** The first and the last line now; the box stands below the last. */
  readonly line: number | undefined;
  readonly endLine: number | undefined;
}

const kept = new WeakMap<LoadedPatch, Map<ReviewComment, PlacedComment>>();

/** Places each comment once for each patch. */
export function placeComments(comments: readonly ReviewComment[], patch: LoadedPatch): PlacedComment[] {
  const known = kept.get(patch) ?? new Map<ReviewComment, PlacedComment>();
  kept.set(patch, known);
  return comments.map((comment) => {
    const placed = known.get(comment) ?? place(comment, patch);
    known.set(comment, placed);
    return placed;
  });
}

function place(comment: ReviewComment, { file }: LoadedPatch): PlacedComment {
  const { side, line, path, endLine, quote = '' } = comment;
  if (side === undefined || line === undefined || path === undefined) {
    return { comment, state: 'file', side: undefined, line: undefined, endLine: undefined };
  }
  const lines = sideLines(file, side);
  const found = findAnchor({ path, side, line, endLine, quote }, lines);
  // A comment of this moment may have an empty line as its quote.
  const isHere = found.state === 'outdated' && quote.trim() === '' && lines.some((one) => one.line === line);
  if (isHere) return { comment, state: 'same', side, line, endLine: endLine ?? line };
  if (found.state === 'outdated') return { comment, state: 'outdated', side, line: undefined, endLine: undefined };
  return { comment, state: found.state, side, line: found.line, endLine: found.endLine };
}

/** The quoted text of lines of a patch, as an anchor keeps it. */
export function quoteOf({ file }: LoadedPatch, side: 'old' | 'new', from: number, to: number): string {
  return sideLines(file, side)
    .filter(({ line }) => line >= from && line <= to)
    .map(({ text }) => text)
    .join('\n');
}
