// Heights of rows, computed from the width of one cell, because measured rows stop the scrolling.
import type { OutputLine } from '../../text/output/line-splitter.ts';

export const lineHeight = 20;
/** Characters of a line that are drawn before "show the whole line" is asked for. */
export const shownCharacters = 20_000;

export interface RowGeometry {
  /** Cells of one wrapped row; 0 where lines are not wrapped. */
  readonly cells: number;
}

/** The cells that fit into a width; a little less than the quotient, which may be rounded up. */
export function cellsIn(width: number, cellWidth: number): number {
  return cellWidth <= 0 ? 0 : Math.max(1, Math.floor(width / cellWidth - 0.01));
}

/** The height of a line in pixels. It is an estimate, to be measured, where the line is not even. */
export function rowHeight(line: OutputLine | undefined, { cells }: RowGeometry, isWhole: boolean): number {
  if (line === undefined || cells === 0) return lineHeight;
  const columns = isWhole ? line.columns : Math.min(line.columns, shownCharacters);
  const cut = isCut(line) && !isWhole ? 1 : 0;
  return (Math.max(1, Math.ceil(columns / cells)) + cut) * lineHeight;
}

/** Whether only the beginning of the line is drawn. */
export function isCut(line: OutputLine): boolean {
  return line.columns > shownCharacters;
}
