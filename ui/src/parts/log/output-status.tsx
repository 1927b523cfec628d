// The announcement of live output for screen readers: every ten seconds the number of new lines, and the last one.
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { plainOf } from '../../text/clean.ts';
import type { OutputStore } from '../../text/output/lines.ts';
import type { OutputWords } from './output-words.ts';

const everyMs = 10_000;
const spokenCharacters = 120;

export function OutputStatus({
  store,
  words,
}: {
  readonly store: OutputStore;
  readonly words: OutputWords;
}): ReactNode {
  const [text, setText] = useState('');
  const told = useRef(endOf(store));
  useEffect(() => {
    const timer = setInterval(() => {
      const fresh = endOf(store) - told.current;
      told.current = endOf(store);
      if (fresh <= 0) return;
      setText(words.status(fresh, plainOf(lastText(store)).slice(0, spokenCharacters)));
    }, everyMs);
    return () => {
      clearInterval(timer);
    };
  }, [store, words]);
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  );
}

/** The number behind the last line. */
export function endOf(store: OutputStore): number {
  return store.firstLine + store.count + store.missedLines;
}

function lastText(store: OutputStore): string {
  return store.line(store.count - 1)?.text ?? '';
}
