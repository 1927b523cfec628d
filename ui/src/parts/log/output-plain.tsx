// The end of the output as one text, which find-in-page and screen readers can read.
import type { ReactNode } from 'react';
import { plainOf } from '../../text/clean.ts';
import type { OutputStore } from '../../text/output/lines.ts';
import type { OutputWords } from './output-words.ts';

const shownLines = 2_000;

export function OutputPlain({
  store,
  words,
  isWrapped,
}: {
  readonly store: OutputStore;
  readonly words: OutputWords;
  readonly isWrapped: boolean;
}): ReactNode {
  const from = Math.max(0, store.count - shownLines);
  const lines = Array.from({ length: store.count - from }, (_, index) => plainOf(store.line(from + index)?.text ?? ''));
  return (
    <div
      className="min-h-0 flex-1 overflow-auto bg-sunk px-3 py-2"
      tabIndex={0}
      role="log"
      aria-live="off"
      aria-label={words.output}
    >
      <p className="pb-2 text-xs text-soft">{words.plainTextNote}</p>
      <pre className={`font-mono text-mono ${isWrapped ? 'break-all whitespace-pre-wrap' : ''}`}>
        {lines.join('\n')}
      </pre>
    </div>
  );
}
