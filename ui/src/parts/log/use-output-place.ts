// The place of the reader in the output: kept when rows change their height, moved to a line, and fed with lines at both edges.
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import type { OutputVirtualizer } from './output-edges.tsx';
import type { OutputRows } from './output-rows.ts';
import type { OutputViewProps } from './output-view.tsx';
import { useLatest } from '../use-latest.ts';

interface OutputPlace extends Pick<OutputViewProps, 'store' | 'line' | 'loadOlder' | 'loadNewer' | 'loadAround'> {
  readonly virtualizer: OutputVirtualizer;
  readonly rows: OutputRows;
}

/** Rows from an edge within which more is loaded. */
const nearRows = 200;

/** Computes all heights again when the geometry changes; the reader stays at the end, or at the first row in sight. */
export function useGeometryChange(virtualizer: OutputVirtualizer, geometry: string, isReady: boolean): void {
  const known = useRef<string>(undefined);
  // The place of the reader in the rows as they were drawn last.
  const stood = useRef<{ readonly isAtEnd: boolean; readonly key: OutputKey | undefined; readonly into: number }>(
    undefined,
  );
  useLayoutEffect(() => {
    if (!isReady) return;
    if (known.current !== geometry) {
      const isFirst = known.current === undefined;
      known.current = geometry;
      virtualizer.measure();
      const place = stood.current;
      if (isFirst || place?.isAtEnd === true) virtualizer.scrollToEnd();
      else if (place?.key !== undefined) {
        const index = virtualizer.measurementsCache.findIndex(({ key }) => key === place.key);
        const start = virtualizer.getOffsetForIndex(index, 'start')?.[0];
        if (index >= 0 && start !== undefined) virtualizer.scrollToOffset(start + place.into);
      }
      return;
    }
    const offset = virtualizer.scrollOffset ?? 0;
    const first = virtualizer.getVirtualItemForOffset(offset);
    stood.current = { isAtEnd: virtualizer.isAtEnd(24), key: first?.key, into: 0 };
  });
}

type OutputKey = number | string | bigint;

/** Shows the line of the address once, also where it has to be loaded; answers the function that shows any line. */
export function useLinkedLine({ virtualizer, rows, store, line, loadAround }: OutputPlace): (line: number) => void {
  const wanted = useRef<number>(undefined);
  const showWanted = (): void => {
    const index = wanted.current === undefined ? -1 : store.indexOf(wanted.current);
    if (index === -1) return;
    wanted.current = undefined;
    virtualizer.scrollToIndex(rows.rowOf(index), { align: 'center' });
  };
  const show = (to: number): void => {
    wanted.current = to;
    if (store.indexOf(to) === -1) void loadAround(to);
    else showWanted();
  };
  const latest = useLatest(show);
  const from = line?.from;
  useEffect(() => {
    if (from === undefined) return;
    const range = virtualizer.range;
    const row = rows.rowOf(store.indexOf(from));
    const isInSight = store.indexOf(from) >= 0 && range !== null && row >= range.startIndex && row < range.endIndex;
    if (!isInSight) latest.current(from);
    // The line of the address is shown when it changes, not when lines come.
  }, [from]);
  // A line that was not there is shown when it has come.
  useLayoutEffect(showWanted);
  return useCallback((to) => {
    latest.current(to);
  }, []);
}

/** Loads more where the reader comes near an edge of what is there, one call at a time. */
export function useLoadedEdges({ virtualizer, rows, store, loadOlder, loadNewer }: OutputPlace): void {
  const isLoading = useRef(false);
  useEffect(() => {
    // A jump to a line scrolls after this effect; what is near is known in the next frame.
    const frame = requestAnimationFrame(() => {
      const range = virtualizer.range;
      if (isLoading.current || range === null || rows.count === 0) return;
      const isNearEnd = range.endIndex > rows.count - nearRows;
      const load =
        store.hasOlder && range.startIndex < nearRows ? loadOlder : store.hasNewer && isNearEnd ? loadNewer : undefined;
      if (load === undefined) return;
      isLoading.current = true;
      void load().finally(() => {
        isLoading.current = false;
      });
    });
    return () => {
      cancelAnimationFrame(frame);
    };
  });
}
