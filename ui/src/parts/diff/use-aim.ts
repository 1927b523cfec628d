// Brings a file or a line into sight, and keeps it there while patches above it arrive, until the reader moves the list.
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { lineOf, type HunkBlock } from '../../text/patch/patch-units.ts';
import type { ChangeRow } from './change-rows.ts';

export interface Aim {
  readonly path: string;
  readonly side?: 'old' | 'new' | undefined;
  readonly line?: number | undefined;
}

type Align = 'start' | 'center' | 'end';

/** The events by which the reader moves the list. A wheel or a finger scrolls it; a press may be at its scroll bar. */
const moves = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;
/** A longer block may be higher than the window. */
const shortBlock = 25;

/**
 * Follows the place of the address. A patch that arrives turns one row into several, so that the row that was aimed at has
 * another index: it is shown again.
 * @returns sets another aim, or none
 */
export function useAim(
  rows: readonly ChangeRow[],
  at: Aim | undefined,
  scroller: RefObject<HTMLElement | null>,
  view: { readonly show: (index: number, align: Align) => void; readonly isInSight: (index: number) => boolean },
): (aim: Aim | undefined) => void {
  const address = useRef<Aim>(undefined);
  const aimed = useRef<{ readonly aim: Aim | undefined; readonly index: number }>({ aim: undefined, index: -1 });
  const follow = (): void => {
    const { aim, index } = aimed.current;
    if (aim === undefined) return;
    const place = placeOf(rows, aim);
    if (place === undefined || place.index === index) return;
    aimed.current = { aim, index: place.index };
    view.show(place.index, place.align);
  };
  useLayoutEffect(() => {
    if (address.current !== at) {
      address.current = at;
      // A line that was chosen where it stands stays there.
      const place = at?.line === undefined ? undefined : placeOf(rows, at);
      const isShown = place !== undefined && rows[place.index]?.kind === 'block' && view.isInSight(place.index);
      aimed.current = { aim: isShown ? undefined : at, index: -1 };
    }
    follow();
  });
  useEffect(() => {
    const element = scroller.current;
    const release = (): void => {
      aimed.current = { aim: undefined, index: -1 };
    };
    for (const move of moves) element?.addEventListener(move, release, { passive: true });
    return () => {
      for (const move of moves) element?.removeEventListener(move, release);
    };
  }, [scroller]);
  return (aim) => {
    aimed.current = { aim, index: -1 };
    follow();
  };
}

/** The row of the aim: the header of its file until the block of its line is there. */
function placeOf(
  rows: readonly ChangeRow[],
  { path, side = 'new', line }: Aim,
): { index: number; align: Align } | undefined {
  const header = rows.findIndex((row) => row.kind === 'header' && row.file.path === path);
  if (header < 0) return undefined;
  if (line === undefined) return { index: header, align: 'start' };
  for (let index = header + 1; rows[index]?.file.path === path; index++) {
    const row = rows[index];
    const place = row?.kind === 'block' ? indexOfLine(row.block, side, line) : -1;
    if (row?.kind !== 'block' || place < 0) continue;
    const { length } = row.block.hunk.changes;
    return { index, align: length <= shortBlock ? 'center' : place < length / 2 ? 'start' : 'end' };
  }
  return { index: header, align: 'start' };
}

function indexOfLine(block: HunkBlock, side: 'old' | 'new', line: number): number {
  const other = side === 'old' ? 'insert' : 'delete';
  return block.hunk.changes.findIndex((change) => change.type !== other && lineOf(change, side) === line);
}
