// Comments on lines are found again by their quoted text after the change was made again.

export interface CommentAnchor {
  readonly path: string;
  readonly side: 'old' | 'new';
  readonly line: number;
  readonly endLine?: number | undefined;
  /** The commented lines, joined by line feeds. */
  readonly quote: string;
}

/** A line of one side of a file's patch. */
export interface SideLine {
  readonly line: number;
  readonly text: string;
}

/** The place of the comment now: its line, another one, or none. */
export type FoundAnchor =
  | { readonly state: 'same' | 'moved'; readonly line: number; readonly endLine: number }
  | { readonly state: 'outdated' };

/**
 * Finds the quote among the lines of its side, given in ascending order: at its own line, else the nearest place. White space at
 * the ends of lines does not count. A quote without any text is found at its own line only.
 */
export function findAnchor(anchor: CommentAnchor, lines: readonly SideLine[]): FoundAnchor {
  const quote = anchor.quote.split('\n').map((line) => line.trimEnd());
  const texts = lines.map(({ text }) => text.trimEnd());
  let best: number | undefined;
  for (let at = 0; at + quote.length <= lines.length; at++) {
    if (!isAt(quote, texts, lines, at)) continue;
    if (best === undefined || distance(anchor, lines[at]) < distance(anchor, lines[best])) best = at;
  }
  const line = best === undefined ? undefined : lines[best]?.line;
  if (line === undefined) return { state: 'outdated' };
  if (line !== anchor.line && quote.every((text) => text === '')) return { state: 'outdated' };
  return { state: line === anchor.line ? 'same' : 'moved', line, endLine: line + quote.length - 1 };
}

function isAt(quote: readonly string[], texts: readonly string[], lines: readonly SideLine[], at: number): boolean {
  const first = lines[at]?.line;
  return quote.every(
    (text, offset) => texts[at + offset] === text && lines[at + offset]?.line === (first ?? 0) + offset,
  );
}

function distance(anchor: CommentAnchor, line: SideLine | undefined): number {
  return line === undefined ? Number.POSITIVE_INFINITY : Math.abs(line.line - anchor.line);
}
