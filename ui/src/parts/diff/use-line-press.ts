// Presses on the numbers of lines, by one listener for all: a press chooses the line, a drag over others chooses them all.
import { useEffect, useState, type RefObject } from 'react';
import { getChangeKey } from 'react-diff-view';
import { lineOf } from '../../text/patch/patch-units.ts';
import { useLatest } from '../use-latest.ts';
import type { ChangeRow } from './change-rows.ts';

export interface LineChoice {
  readonly path: string;
  readonly side: 'old' | 'new';
  readonly from: number;
  readonly to: number;
}

interface LinePress {
  /** The lines under a drag, as long as it lasts. */
  readonly dragged: LineChoice | undefined;
}

/** @param onChoice called at the end of the press; a range is to be commented on, a single line is only chosen */
export function useLinePress(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly ChangeRow[],
  onChoice: (choice: LineChoice) => void,
): LinePress {
  const [dragged, setDragged] = useState<LineChoice>();
  const latest = useLatest({ rows, onChoice });
  useEffect(() => {
    const element = scroller.current;
    let start: Line | undefined;
    let end: Line | undefined;
    const onDown = (event: MouseEvent): void => {
      start = event.button === 0 ? lineAt(event.target, latest.current.rows) : undefined;
      end = start;
      // The text of the lines is not selected meanwhile.
      if (start !== undefined) event.preventDefault();
    };
    const onOver = (event: MouseEvent): void => {
      if (start === undefined || event.buttons !== 1) return;
      const line = lineAt(event.target, latest.current.rows);
      if (line === undefined || line.path !== start.path || line.side !== start.side) return;
      end = line;
      setDragged(choiceOf(start, line));
    };
    const onUp = (): void => {
      if (start !== undefined && end !== undefined) latest.current.onChoice(choiceOf(start, end));
      [start, end] = [undefined, undefined];
      setDragged(undefined);
    };
    element?.addEventListener('mousedown', onDown);
    element?.addEventListener('mouseover', onOver);
    document.addEventListener('mouseup', onUp);
    return () => {
      element?.removeEventListener('mousedown', onDown);
      element?.removeEventListener('mouseover', onOver);
      document.removeEventListener('mouseup', onUp);
    };
  }, [scroller, latest]);
  return { dragged };
}

interface Line {
  readonly path: string;
  readonly side: 'old' | 'new';
  readonly line: number;
}

/** The line whose number is under the pointer; the button of a comment is none. */
function lineAt(target: EventTarget | null, rows: readonly ChangeRow[]): Line | undefined {
  if (!(target instanceof Element) || target.closest('button') !== null) return undefined;
  const key = target.closest('.diff-gutter')?.getAttribute('data-change-key');
  const row = rows[Number(target.closest('[data-index]')?.getAttribute('data-index') ?? Number.NaN)];
  if (row?.kind !== 'block') return undefined;
  const change = row.block.hunk.changes.find((one) => getChangeKey(one) === key);
  if (change === undefined) return undefined;
  const side = change.type === 'delete' ? 'old' : 'new';
  return { path: row.file.path, side, line: lineOf(change, side) };
}

function choiceOf({ path, side, line }: Line, end: Line): LineChoice {
  return { path, side, from: Math.min(line, end.line), to: Math.max(line, end.line) };
}
