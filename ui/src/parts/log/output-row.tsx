// One line of output: its number as a link, its time, the mark of its stream, its text in colours.
import { memo, type MouseEvent, type ReactNode } from 'react';
import { textRuns } from '../../text/output/ansi.ts';
import { foundRuns } from '../../text/output/found-runs.ts';
import type { OutputLine } from '../../text/output/line-splitter.ts';
import type { OutputWords } from './output-words.ts';
import { AddressMenu } from './address-menu.tsx';
import { isCut, shownCharacters } from './row-geometry.ts';

export interface OutputRowProps {
  readonly line: OutputLine;
  readonly number: number;
  readonly href: string;
  readonly time: string | undefined;
  readonly gutterWidth: number;
  readonly isWrapped: boolean;
  readonly isWhole: boolean;
  /** The line is in the address, a hit, or the current hit. */
  readonly mark: 'linked' | 'hit' | undefined;
  readonly query: string;
  /** Whether the output below a tool line is hidden; undefined where nothing can be folded. */
  readonly isFolded: boolean | undefined;
  readonly words: OutputWords;
  readonly onLine: (number: number, isRange: boolean) => void;
  readonly onWhole: (number: number) => void;
  readonly onFold: (number: number) => void;
}

const marks = { linked: 'bg-ask-ground', hit: 'bg-paper' } as const;

export const OutputRow = memo(function OutputRow(props: OutputRowProps): ReactNode {
  const { line, number, words, mark, isFolded } = props;
  const ground = mark === undefined ? 'bg-sunk' : marks[mark];
  return (
    <div className={`flex min-w-full ${props.isWrapped ? '' : 'w-max'} ${ground}`}>
      <span
        className={`sticky start-0 flex shrink-0 justify-end gap-[1ch] pe-[2.5ch] text-soft select-none ${ground}`}
        style={{ width: props.gutterWidth }}
      >
        <AddressMenu line={line} number={number} words={words} />
        {props.time === undefined ? null : <time dateTime={line.at}>{props.time}</time>}
        <StreamMark line={line} words={words} />
        {/* Not a stop of Tab: a log would have one for each line. The key for the link of a line does the same. */}
        <a
          href={props.href}
          tabIndex={-1}
          aria-label={words.lineLink(number)}
          className="hover:text-accent hover:underline"
          onClick={(event) => {
            if (followsLink(event)) return;
            event.preventDefault();
            props.onLine(number, event.shiftKey);
          }}
        >
          {number}
        </a>
      </span>
      <span className={props.isWrapped ? 'min-w-0 flex-1 break-all whitespace-pre-wrap' : 'whitespace-pre'}>
        {isFolded === undefined ? null : (
          <FoldButton
            isFolded={isFolded}
            label={words.fold(line.tool ?? '')}
            onClick={() => {
              props.onFold(number);
            }}
          />
        )}
        <LineText line={line} isWhole={props.isWhole} query={props.query} />
        {isCut(line) && !props.isWhole ? (
          <button
            type="button"
            className={`${props.isWrapped ? 'block' : 'ms-2'} h-5 font-sans text-accent underline`}
            onClick={() => {
              props.onWhole(number);
            }}
          >
            {words.showWhole}
          </button>
        ) : null}
      </span>
    </div>
  );
});

/** A click for a new tab or window is the browser's. */
function followsLink({ metaKey, ctrlKey, altKey, button }: MouseEvent): boolean {
  return metaKey || ctrlKey || altKey || button !== 0;
}

function StreamMark({ line, words }: { readonly line: OutputLine; readonly words: OutputWords }): ReactNode {
  if (line.stream !== 'stderr') return null;
  return (
    <span className="font-semibold text-bad">
      <span aria-hidden="true">!</span>
      <span className="sr-only">{words.errorStream}</span>
    </span>
  );
}

interface FoldButtonProps {
  readonly isFolded: boolean;
  readonly label: string;
  readonly onClick: () => void;
}

/** The button takes no room, so that the height of the line is what was computed. */
function FoldButton({ isFolded, label, onClick }: FoldButtonProps): ReactNode {
  return (
    <button
      type="button"
      aria-label={label}
      aria-expanded={!isFolded}
      className="relative -ms-[2ch] inline-block h-5 w-[2ch] text-soft after:absolute after:-inset-1 hover:text-accent"
      onClick={onClick}
    >
      <span aria-hidden="true">{isFolded ? '▸' : '▾'}</span>
    </button>
  );
}

interface LineTextProps {
  readonly line: OutputLine;
  readonly isWhole: boolean;
  readonly query: string;
}

function LineText({ line, isWhole, query }: LineTextProps): ReactNode {
  const text = isWhole ? line.text : line.text.slice(0, shownCharacters);
  const weight = line.tool === undefined ? '' : 'font-semibold';
  return (
    <bdi dir="auto" className={weight}>
      {foundRuns(textRuns(text, line.start), query).map((run, index) => {
        const style = run.color === undefined ? undefined : { color: run.color };
        return run.isFound ? (
          <mark key={index} className="bg-accent text-on-accent">
            {run.text}
          </mark>
        ) : run.className === '' && style === undefined ? (
          run.text
        ) : (
          <span key={index} className={run.className} style={style}>
            {run.text}
          </span>
        );
      })}
    </bdi>
  );
}
