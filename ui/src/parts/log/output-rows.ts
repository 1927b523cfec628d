// The lines that are rows: all of them, or those that a filter and folded tools leave.
import type { OutputStore } from '../../text/output/lines.ts';

export interface OutputRows {
  readonly count: number;
  /** The index in the store of the line of a row. */
  readonly lineAt: (row: number) => number;
  /** The row of a line, or the next one before it where the line is hidden. */
  readonly rowOf: (lineIndex: number) => number;
}

export interface RowFilter {
  /** Only what agents say, tools included. */
  readonly wordsOnly: boolean;
  /** Keys of the tool lines whose output is hidden. */
  readonly folded: ReadonlySet<number>;
}

export function rowsOf(store: OutputStore, { wordsOnly, folded }: RowFilter): OutputRows {
  if (!wordsOnly && folded.size === 0) return { count: store.count, lineAt: (row) => row, rowOf: (line) => line };
  const shown: number[] = [];
  let isFolded = false;
  for (let index = 0; index < store.count; index++) {
    const line = store.line(index);
    const isSaid = line?.stream === 'agent';
    if (isSaid) isFolded = line.tool !== undefined && folded.has(store.keyOf(index));
    if (isSaid || (!wordsOnly && !isFolded)) shown.push(index);
  }
  return { count: shown.length, lineAt: (row) => shown[row] ?? -1, rowOf: (line) => lastNotAfter(shown, line) };
}

/** Whether lines that can be folded stand below a tool line. */
export function hasOutputBelow(store: OutputStore, lineIndex: number): boolean {
  const below = store.line(lineIndex + 1);
  return below !== undefined && below.stream !== 'agent';
}

function lastNotAfter(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((sorted[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return Math.max(low, 0);
}
