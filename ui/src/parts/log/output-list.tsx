// The virtual list of the output's lines. It follows its end where the reader stands there, and holds still elsewhere.
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type Ref,
} from 'react';
import { OutputHits, OutputNewLines } from './output-edges.tsx';
import { OutputRow } from './output-row.tsx';
import { hasOutputBelow, rowsOf } from './output-rows.ts';
import type { OutputViewProps } from './output-view.tsx';
import { cellsIn, lineHeight, rowHeight } from './row-geometry.ts';
import { sampleText, useCellWidth } from './use-cell-width.ts';
import { useGeometryChange, useLinkedLine, useLoadedEdges } from './use-output-place.ts';
import { useLatest } from '../use-latest.ts';

export interface OutputListHandle {
  showEnd(): void;
  showTop(): void;
  /** Shows a line of the whole output; it is loaded where it is not there. */
  showLine(line: number): void;
  /** The number of the first line in sight. */
  firstShown(): number;
}

export interface OutputListProps extends OutputViewProps {
  readonly ref: Ref<OutputListHandle>;
  readonly hasTimes: boolean;
  readonly wordsOnly: boolean;
  readonly query: string;
  readonly hits: readonly number[];
  readonly hit: number | undefined;
}

/** Pixels from the end within which the reader stands at the end. */
const endThreshold = 24;
const timeCells = 9;

export function OutputList(props: OutputListProps): ReactNode {
  const { store, words, isWrapped, hasTimes, wordsOnly, line, hit } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const sample = useRef<HTMLSpanElement>(null);
  const { cell, width } = useCellWidth(scroller, sample);
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const [whole, setWhole] = useState<ReadonlySet<number>>(new Set());
  const version = store.version();
  // A new name of the keys makes the list compute every row again, so they change with the lines alone.
  const rows = useMemo(() => rowsOf(store, { wordsOnly, folded }), [store, version, wordsOnly, folded]);
  const getItemKey = useCallback((row: number) => store.keyOf(rows.lineAt(row)), [store, rows]);
  const digits = Math.max(4, String(store.firstLine + store.count).length);
  const gutterWidth = Math.ceil((digits + 5 + (hasTimes ? timeCells : 0)) * cell);
  const cells = isWrapped ? cellsIn(width - gutterWidth, cell) : 0;
  const isWhole = (index: number): boolean => whole.has(store.firstLine + index);
  const wasWhole = useRef(true);
  const virtualizer = useVirtualizer({
    count: rows.count,
    getScrollElement: () => scroller.current,
    getItemKey,
    estimateSize: (row) => {
      const index = rows.lineAt(row);
      return rowHeight(store.line(index), { cells }, isWhole(index));
    },
    anchorTo: 'end',
    // Lines that are loaded below the reader are no news.
    followOnAppend: wasWhole.current && !store.hasNewer,
    scrollEndThreshold: endThreshold,
    overscan: 12,
  });
  useGeometryChange(
    virtualizer,
    `${String(cells)} ${String(wordsOnly)} ${String(folded.size)} ${String(whole.size)}`,
    cell > 0,
  );
  useEffect(() => {
    wasWhole.current = !store.hasNewer;
  });
  const latest = useLatest(props);
  const onLine = useCallback(
    (to: number, isRange: boolean) => {
      const { line: now, onLine: change } = latest.current;
      const from = isRange && now !== undefined ? now.from : to;
      change({ from: Math.min(from, to), to: Math.max(from, to) });
    },
    [latest],
  );
  const onWhole = useCallback((number: number) => {
    setWhole((now) => new Set([...now, number]));
  }, []);
  const onFold = useCallback(
    (number: number) => {
      setFolded((now) => toggled(now, store.keyOf(number - store.firstLine)));
    },
    [store],
  );
  const place = { virtualizer, rows, ...props };
  const showLine = useLinkedLine(place);
  useLoadedEdges(place);
  useImperativeHandle(props.ref, () => ({
    showEnd: () => {
      if (store.hasNewer) void props.loadEnd().then(() => virtualizer.scrollToEnd());
      else virtualizer.scrollToEnd();
    },
    showTop: () => {
      showLine(1);
    },
    showLine,
    firstShown: () => store.firstLine + Math.max(rows.lineAt(virtualizer.range?.startIndex ?? 0), 0),
  }));
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label={words.output}
        tabIndex={0}
        dir="ltr"
        className="min-h-0 flex-1 overflow-auto overscroll-contain bg-sunk font-mono text-mono leading-5 [overflow-anchor:none]"
      >
        <span ref={sample} aria-hidden="true" className="invisible fixed whitespace-pre">
          {sampleText}
        </span>
        <div className="relative w-full" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((item) => {
            const index = rows.lineAt(item.index);
            const shown = store.line(index);
            if (shown === undefined) return null;
            const number = store.firstLine + index;
            const isMeasured = cells > 0 && !shown.isEven;
            return (
              <div
                key={item.key}
                data-index={item.index}
                ref={isMeasured ? virtualizer.measureElement : undefined}
                className={`absolute start-0 top-0 min-w-full ${isMeasured ? '' : 'overflow-y-clip'}`}
                style={{
                  transform: `translateY(${String(item.start)}px)`,
                  ...(isMeasured ? { minHeight: lineHeight } : { height: item.size }),
                }}
              >
                <OutputRow
                  line={shown}
                  number={number}
                  href={props.lineHref(number)}
                  time={hasTimes && shown.at !== undefined ? props.timeText(shown.at) : undefined}
                  gutterWidth={gutterWidth}
                  isWrapped={isWrapped}
                  isWhole={isWhole(index)}
                  mark={
                    number === hit
                      ? 'hit'
                      : line !== undefined && number >= line.from && number <= line.to
                        ? 'linked'
                        : undefined
                  }
                  query={props.query}
                  isFolded={
                    shown.tool !== undefined && hasOutputBelow(store, index)
                      ? folded.has(store.keyOf(index))
                      : undefined
                  }
                  words={words}
                  onLine={onLine}
                  onWhole={onWhole}
                  onFold={onFold}
                />
              </div>
            );
          })}
        </div>
      </div>
      <OutputHits hits={props.hits} from={store.firstLine} count={store.count} />
      <OutputNewLines store={store} words={words} virtualizer={virtualizer} loadEnd={props.loadEnd} />
    </div>
  );
}

function toggled(set: ReadonlySet<number>, key: number): ReadonlySet<number> {
  const next = new Set(set);
  if (!next.delete(key)) next.add(key);
  return next;
}
