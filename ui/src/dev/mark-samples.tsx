// Samples of marks, tracks, texts and the output.
import { useState, type ReactNode } from 'react';
import { JsonTree } from '../parts/json-tree.tsx';
import { OutputView } from '../parts/log/output-view.tsx';
import { MarkdownText } from '../parts/markdown.tsx';
import { FreeText } from '../parts/marks/free-text.tsx';
import { KeyCap } from '../parts/marks/key-cap.tsx';
import { SignalMark, type Signal } from '../parts/marks/signal-mark.tsx';
import { SlotSquares } from '../parts/marks/slot-squares.tsx';
import { StateMark, type MarkState } from '../parts/marks/state-mark.tsx';
import { Age, Ago, ExactTime } from '../parts/marks/time.tsx';
import { Track } from '../parts/marks/track.tsx';
import { ExchangeBlock } from '../parts/task/exchange-block.tsx';
import { OutputStore } from '../text/output/lines.ts';
import { commonWords } from '../words/en-common.ts';
import { outputWords } from '../words/tasks/en-output.ts';
import { samples, sampleTime, stations } from './samples.ts';

const row = 'mb-3 flex flex-wrap items-center gap-4';
const states: readonly MarkState[] = [
  'pending',
  'running',
  'needs_input',
  'completed',
  'failed',
  'cancelled',
  'paused',
];
const signals: readonly Signal[] = ['ok', 'held', 'bad', 'off'];

export function MarkSamples(): ReactNode {
  return (
    <>
      <div className={row}>
        {states.map((state) => (
          <StateMark key={state} state={state} word={commonWords.states[state]} />
        ))}
      </div>
      <div className={row}>
        {signals.map((signal) => (
          <SignalMark key={signal} signal={signal} word={signal} />
        ))}
        <SlotSquares busy={2} slots={4} label="2 of 4 slots" />
        <SlotSquares busy={20} slots={40} label="20 of 40 slots" />
      </div>
      <div className={row}>
        <ExactTime at={sampleTime} />
        <Age since={sampleTime} until="2026-03-01T12:03:07.000Z" />
        <Ago at={sampleTime} />
        <KeyCap keys="g t" />
        <KeyCap keys="mod+Enter" />
      </div>
    </>
  );
}

export function Tracks(): ReactNode {
  return <Track label="A life" stations={stations} />;
}

export function Texts(): ReactNode {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p>
        <FreeText text={samples.hostile} />
      </p>
      <p>
        <FreeText text={samples.rtl} />
      </p>
      <p>
        <FreeText text={samples.long} />
      </p>
      <MarkdownText text={samples.markdown} />
      <JsonTree value={samples.json} />
      <ExchangeBlock name="codex @ build-7" at={sampleTime} text={samples.markdown} note="delivered" />
    </div>
  );
}

const shownLines = 60;
const store = new OutputStore((notify) => requestAnimationFrame(notify));
store.show({
  pieces: Array.from({ length: shownLines }, (_, index) => ({
    seq: index + 1,
    stream: index % 9 === 8 ? ('stderr' as const) : ('agent' as const),
    text: index % 5 === 4 ? `[shell] npm test -- part ${index}\n` : `\u001B[3${index % 8}mline ${index + 1}\u001B[0m\n`,
  })),
  firstLine: 1,
  hasOlder: false,
  hasNewer: false,
});
const nothingToLoad = async (): Promise<void> => Promise.resolve();
const noLines = async (): Promise<number[]> => Promise.resolve([]);

export function Logs(): ReactNode {
  const [isWrapped, setWrapped] = useState(false);
  return (
    <div className="h-80">
      <OutputView
        store={store}
        words={outputWords}
        isWrapped={isWrapped}
        onWrap={setWrapped}
        line={undefined}
        onLine={() => undefined}
        onCopyLine={() => undefined}
        lineHref={(line) => `?line=${line}`}
        timeText={(at) => at.slice(11, 19)}
        onDownload={() => undefined}
        search={noLines}
        loadOlder={nothingToLoad}
        loadNewer={nothingToLoad}
        loadAround={nothingToLoad}
        loadEnd={nothingToLoad}
      />
    </div>
  );
}
