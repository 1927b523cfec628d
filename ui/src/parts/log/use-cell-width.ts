// The width of one cell of the monospace type, and the width of the element that scrolls.
import { useLayoutEffect, useState, type RefObject } from 'react';

const sampleCells = 100;

export interface CellWidth {
  /** Width of one character in pixels; 0 before it is known. */
  readonly cell: number;
  /** Width of the scroller's content in pixels. */
  readonly width: number;
}

/** `sample` is an element that holds 100 characters of the type. */
export function useCellWidth(
  scroller: RefObject<HTMLElement | null>,
  sample: RefObject<HTMLElement | null>,
): CellWidth {
  const [size, setSize] = useState<CellWidth>({ cell: 0, width: 0 });
  useLayoutEffect(() => {
    const [box, letters] = [scroller.current, sample.current];
    if (box === null || letters === null) return undefined;
    const measure = (): void => {
      const next = { cell: letters.getBoundingClientRect().width / sampleCells, width: box.clientWidth };
      setSize((now) => (now.cell === next.cell && now.width === next.width ? now : next));
    };
    measure();
    // The sample changes its size when the font has come.
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    observer.observe(letters);
    return () => {
      observer.disconnect();
    };
  }, [scroller, sample]);
  return size;
}

export const sampleText = '0'.repeat(sampleCells);
