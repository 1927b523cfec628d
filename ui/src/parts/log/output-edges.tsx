// Marks over the edges of the output: the hits beside the scroll bar, and the button with the count of new lines.
import type { Virtualizer } from '@tanstack/react-virtual';
import { useRef, type ReactNode } from 'react';
import type { OutputStore } from '../../text/output/lines.ts';
import { endOf } from './output-status.tsx';
import type { OutputWords } from './output-words.ts';

export type OutputVirtualizer = Virtualizer<HTMLDivElement, Element>;

/** Marks that are drawn at most; of more hits each n-th is. */
const shownMarks = 200;

export function OutputHits({
  hits,
  from,
  count,
}: {
  readonly hits: readonly number[];
  readonly from: number;
  readonly count: number;
}): ReactNode {
  if (hits.length === 0 || count === 0) return null;
  const every = Math.ceil(hits.length / shownMarks);
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-y-0 end-0 w-1">
      {hits
        .filter((hit, index) => index % every === 0 && hit >= from && hit < from + count)
        .map((hit) => (
          <span
            key={hit}
            className="absolute end-0 h-0.5 w-1 bg-accent"
            style={{ top: `${String(((hit - from) / count) * 100)}%` }}
          />
        ))}
    </div>
  );
}

interface OutputNewLinesProps {
  readonly store: OutputStore;
  readonly words: OutputWords;
  readonly virtualizer: OutputVirtualizer;
  readonly loadEnd: () => Promise<void>;
}

/** The button that leads to the end where the reader has left it; it counts the lines since. */
export function OutputNewLines({ store, words, virtualizer, loadEnd }: OutputNewLinesProps): ReactNode {
  const leftAt = useRef(endOf(store));
  const isAtEnd = !store.hasNewer && virtualizer.isAtEnd(24);
  if (isAtEnd) leftAt.current = endOf(store);
  const count = endOf(store) - leftAt.current;
  if (isAtEnd || (count <= 0 && !store.hasNewer)) return null;
  return (
    <button
      type="button"
      className="absolute end-4 bottom-3 min-h-(--control) rounded-sm border border-accent bg-paper px-3 text-sm font-semibold text-accent shadow-md"
      onClick={() => {
        if (store.hasNewer) void loadEnd().then(() => virtualizer.scrollToEnd());
        else virtualizer.scrollToEnd();
      }}
    >
      {count > 0 ? words.newLines(count) : words.follow}
    </button>
  );
}
