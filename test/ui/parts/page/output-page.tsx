// The view of output over a store that `window.output` fills.
import { useState } from 'react';
import { OutputView, type LineRange } from '../../../../ui/src/parts/log/output-view.tsx';
import type { OutputPiece } from '../../../../ui/src/text/output/line-splitter.ts';
import { OutputStore } from '../../../../ui/src/text/output/lines.ts';
import { outputWords } from '../../../../ui/src/words/tasks/en-output.ts';

declare global {
  interface Window {
    output: { store: OutputStore; all: OutputPiece[]; searched: string[]; copied: number[] };
  }
}

const store = new OutputStore((notify) => requestAnimationFrame(notify));
const asked = new URLSearchParams(location.search);
const before = Number(asked.get('lines') ?? 0);
const first = Array.from({ length: before }, (_, i): OutputPiece => ({
  seq: i + 1,
  stream: 'stdout',
  text: `line ${String(i + 1)}\n`,
}));
window.output = { store, all: first, searched: [], copied: [] };
const page = 2_000;

/** What a service would answer from `all`, in which each piece is one line. */
function windowOf(from: number, to: number) {
  const { all } = window.output;
  const [start, end] = [Math.max(0, from), Math.min(all.length, to)];
  return { pieces: all.slice(start, end), firstLine: start + 1, hasOlder: start > 0, hasNewer: end < all.length };
}

function show(from: number, to: number): Promise<void> {
  store.show(windowOf(from, to));
  return Promise.resolve();
}

async function search(query: string): Promise<number[]> {
  window.output.searched.push(query);
  await Promise.resolve();
  return window.output.all.flatMap(({ text }, index) => (text.includes(query) ? [index + 1] : []));
}

const lineHref = (line: number): string => `?line=${String(line)}`;
const timeText = (at: string): string => at.slice(11, 19);
const copyLine = (line: number): void => {
  window.output.copied.push(line);
};

function lineOfAddress(): LineRange | undefined {
  const number = Number(new URLSearchParams(location.search).get('line'));
  return number > 0 ? { from: number, to: number } : undefined;
}

export function OutputPage() {
  const [isWrapped, setWrapped] = useState(new URLSearchParams(location.search).has('wrap'));
  const [line, setLine] = useState(lineOfAddress);
  return (
    <OutputView
      {...{ store, isWrapped, line, lineHref, timeText, search }}
      words={outputWords}
      onWrap={setWrapped}
      onLine={setLine}
      onCopyLine={copyLine}
      loadOlder={() => {
        const { firstLine } = store;
        store.prepend(windowOf(firstLine - 1 - page, firstLine - 1));
        return Promise.resolve();
      }}
      loadNewer={() => {
        const end = store.lastSeq;
        store.extend(windowOf(end, end + page));
        return Promise.resolve();
      }}
      loadAround={(around) => show(around - page / 2, around + page / 2)}
      onDownload={() => undefined}
      loadEnd={() => show(window.output.all.length - page, window.output.all.length)}
    />
  );
}
