// Finds the lines that a comment without a quote is about, in the diff of the reviewed task.
import type { ReviewComment } from '../model/review.ts';
import type { FileDiff } from '../tasks/results/parse-diff.ts';

const maxQuotedLines = 50;

/** The comment with the quoted lines, where it names a line that the diff shows and quotes none. */
export function fillQuote(comment: ReviewComment, files: readonly FileDiff[]): ReviewComment {
  const { path, line, end_line: endLine = line, side = 'new', quote } = comment;
  if (path === undefined || line === undefined || endLine === undefined || quote !== undefined) return comment;
  const file = files.find((one) => one.path === path);
  if (file === undefined) return comment;
  const lines = linesOf(file.patch, side, line, Math.min(endLine, line + maxQuotedLines - 1));
  return lines.length === 0 ? comment : { ...comment, quote: lines.join('\n') };
}

/** Lines of one side, by their numbers in the hunks. */
function linesOf(patch: string, side: 'new' | 'old', first: number, last: number): string[] {
  const found: string[] = [];
  let next: number | undefined;
  for (const text of patch.split('\n')) {
    const starts = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text);
    const sign = text[0];
    if (starts !== null) next = Number(starts[side === 'new' ? 2 : 1]);
    else if (next !== undefined && (sign === ' ' || sign === (side === 'new' ? '+' : '-'))) {
      if (next >= first && next <= last) found.push(Buffer.from(text.slice(1), 'latin1').toString().toWellFormed());
      next += 1;
    }
  }
  return found;
}
