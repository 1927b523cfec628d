// The rows of a patch in a virtual list: blocks of at most 50 lines of one hunk.
import type { ChangeData, HunkData } from 'react-diff-view';
import type { SideLine } from './anchor.ts';
import type { PatchFile } from './patch.ts';

/** A part of one hunk, which is drawn at once. */
export interface HunkBlock {
  readonly key: string;
  readonly hunk: HunkData;
  /** The hunk's own heading stands above its first block. */
  readonly isFirst: boolean;
}

export const blockLines = 50;

/** The blocks of a file. Deleted lines and those that replace them stay in one block where both fit. */
export function blocksOf(file: PatchFile): HunkBlock[] {
  return file.hunks.flatMap((hunk, index) =>
    slices(hunk.changes).map((changes, part) => ({
      key: `${String(index)}.${String(part)}`,
      hunk: { ...hunk, changes },
      isFirst: part === 0,
    })),
  );
}

/** The lines of one side of a file, in ascending order. */
export function sideLines(file: PatchFile, side: 'old' | 'new'): SideLine[] {
  const other = side === 'old' ? 'insert' : 'delete';
  return file.hunks.flatMap(({ changes }) =>
    changes
      .filter(({ type }) => type !== other)
      .map((change) => ({ line: lineOf(change, side), text: change.content })),
  );
}

/** The number of a change's line on a side; of the one side that it has where it is on one alone. */
export function lineOf(change: ChangeData, side: 'old' | 'new'): number {
  if (change.type !== 'normal') return change.lineNumber;
  return side === 'old' ? change.oldLineNumber : change.newLineNumber;
}

function slices(changes: readonly ChangeData[]): ChangeData[][] {
  const parts: ChangeData[][] = [];
  for (let from = 0; from < changes.length;) {
    const to = cutBefore(changes, from, Math.min(from + blockLines, changes.length));
    parts.push(changes.slice(from, to));
    from = to;
  }
  return parts;
}

/** The end of a block: before the run of changed lines that would be cut, where that leaves at least half a block. */
function cutBefore(changes: readonly ChangeData[], from: number, to: number): number {
  if (to === changes.length) return to;
  let cut = to;
  while (cut > from + blockLines / 2 && changes[cut]?.type !== 'normal' && changes[cut - 1]?.type !== 'normal')
    cut -= 1;
  return cut > from + blockLines / 2 ? cut : to;
}
