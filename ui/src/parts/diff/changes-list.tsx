// The virtual list of headers and blocks. The header of the file in sight sticks to the top; patches that come near are loaded.
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useImperativeHandle, useMemo, useRef, type ReactNode, type Ref } from 'react';
import { ChangeRowView, type ChangeRowProps } from './change-row.tsx';
import type { ChangeRow } from './change-rows.ts';
import type { ChangesViewProps } from './changes-view.tsx';
import { commentInSight, headerHeight } from './comments/comment-in-sight.ts';
import type { PatchStore } from './patch/patch-store.ts';
import { useAim } from './use-aim.ts';
import { useLinePress, type LineChoice } from './use-line-press.ts';

export interface ChangesListHandle {
  showFile(path: string): void;
  /** Goes to the next or previous block that begins a hunk. */
  stepHunk(by: 1 | -1): void;
  /** Opens the comment of the line that has the focus, else of the first changed line in sight. False without such a line. */
  commentInSight(): boolean;
}

interface ChangesListProps
  extends Omit<ChangeRowProps, 'row' | 'isViewed' | 'chosen'>, Pick<ChangesViewProps, 'viewed' | 'at'> {
  readonly ref: Ref<ChangesListHandle>;
  readonly rows: readonly ChangeRow[];
  readonly patches: PatchStore;
  readonly onCurrent: (path: string) => void;
  /** Lines were chosen by a press on their numbers. */
  readonly onLines: (choice: LineChoice) => void;
}

const [lineHeight, hunkHeight] = [20, 24];
/** Rows before and behind those in sight whose patches are loaded. */
const nearRows = 10;
/** Lines of context that a patch has beside its changed ones, as a guess before it is there. */
const contextLines = 6;

export function ChangesList(props: ChangesListProps): ReactNode {
  const { rows, patches, at, onCurrent, comments } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const headers = useMemo(() => rows.flatMap((row, index) => (row.kind === 'header' ? [index] : [])), [rows]);
  const sticky = useRef(0);
  const byPath = useMemo(() => Map.groupBy(comments, ({ path }) => path), [comments]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    estimateSize: (index) => estimate(rows[index]),
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) => {
        sticky.current = headers[lastAtMost(headers, range.startIndex)] ?? 0;
        const indexes = defaultRangeExtractor(range);
        return indexes[0] !== undefined && indexes[0] > sticky.current ? [sticky.current, ...indexes] : indexes;
      },
      [headers],
    ),
    overscan: 2,
  });
  const items = virtualizer.getVirtualItems();
  const first = virtualizer.range?.startIndex ?? 0;
  const current = rows[first]?.file.path;
  useEffect(() => {
    if (current !== undefined) onCurrent(current);
  }, [current, onCurrent]);
  useEffect(() => {
    const near = rows.slice(Math.max(0, first - nearRows), (virtualizer.range?.endIndex ?? first) + nearRows);
    patches.want([...new Set(near.filter(({ kind }) => kind === 'note').map(({ file }) => file.path))]);
  });
  useEffect(() => {
    virtualizer.measure();
  }, [virtualizer, props.isSplit, props.isWrapped]);
  const { dragged } = useLinePress(scroller, rows, props.onLines);
  const aim = useAim(rows, at, scroller, {
    show: (index, align) => virtualizer.scrollToIndex(index, { align }),
    isInSight: (index) => {
      const range = virtualizer.range;
      return range !== null && index >= range.startIndex && index <= range.endIndex;
    },
  });
  useImperativeHandle(props.ref, () => ({
    showFile: (path) => {
      aim({ path });
    },
    commentInSight: () => commentInSight(scroller.current),
    stepHunk: (by) => {
      aim(undefined);
      // The header that sticks hides the first row in sight.
      const hunks = rows.flatMap((row, index) => (row.kind === 'block' && row.block.isFirst ? [index] : []));
      const from = virtualizer.getVirtualItemForOffset((virtualizer.scrollOffset ?? 0) + headerHeight + 1)?.index ?? 0;
      const next = by === 1 ? hunks.find((index) => index > from) : hunks.findLast((index) => index < from);
      if (next !== undefined)
        virtualizer.scrollToOffset((virtualizer.getOffsetForIndex(next, 'start')?.[0] ?? 0) - headerHeight);
    },
  }));
  return (
    <div
      ref={scroller}
      tabIndex={0}
      role="region"
      aria-label={props.words.files}
      className="min-h-0 flex-1 overflow-auto bg-paper [overflow-anchor:none]"
    >
      <div className="relative w-full" style={{ height: virtualizer.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          const isSticky = item.index === sticky.current;
          return (
            <div
              key={item.key}
              data-index={item.index}
              ref={virtualizer.measureElement}
              className={isSticky ? 'sticky top-0 z-10 w-full' : 'absolute start-0 top-0 w-full'}
              style={isSticky ? undefined : { transform: `translateY(${String(item.start)}px)` }}
            >
              <ChangeRowView
                row={row}
                comments={byPath.get(row.file.path) ?? none}
                draft={props.draft}
                isViewed={props.viewed.has(row.file.path)}
                isSplit={props.isSplit}
                isWrapped={props.isWrapped}
                words={props.words}
                actions={props.actions}
                chosen={chosenIn(row, dragged ?? at)}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

const none: ChangeRowProps['comments'] = [];

/** The lines of the address or of a drag, where they are those of the file of the row. */
function chosenIn(row: ChangeRow, chosen: LineChoice | ChangesViewProps['at']): ChangeRowProps['chosen'] {
  if (chosen === undefined || row.kind !== 'block' || chosen.path !== row.file.path) return undefined;
  if ('from' in chosen) return chosen;
  const { path, side = 'new', line } = chosen;
  return line === undefined ? undefined : { path, side, from: line, to: line };
}

function estimate(row: ChangeRow | undefined): number {
  if (row === undefined || row.kind === 'header') return headerHeight;
  if (row.kind === 'block') return row.block.hunk.changes.length * lineHeight + (row.block.isFirst ? hunkHeight : 0);
  if (row.kind === 'note' && row.note === 'loading')
    return (row.file.added + row.file.removed + contextLines) * lineHeight + hunkHeight;
  return headerHeight;
}

/** The index of the last entry that is at most `value`. */
function lastAtMost(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((sorted[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
