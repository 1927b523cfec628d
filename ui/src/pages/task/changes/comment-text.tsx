// A comment to read: its place, the quoted lines, the text.
import type { ReactNode } from 'react';
import { FreeText } from '../../../parts/marks/free-text.tsx';
import { cleanText, markControls } from '../../../text/clean.ts';
import { reviewWords as words } from '../../../words/tasks/en-review.ts';

export interface CommentTextProps {
  readonly comment: {
    readonly path?: string | undefined;
    readonly side?: 'old' | 'new' | undefined;
    readonly line?: number | undefined;
    readonly endLine?: number | undefined;
    readonly quote?: string | undefined;
    readonly text: string;
  };
  /** Stands after the place. */
  readonly note?: ReactNode;
}

export function CommentText({ comment, note }: CommentTextProps): ReactNode {
  const { path, side = 'new', line, endLine = line, quote, text } = comment;
  return (
    <>
      <p className="text-sm text-soft">
        {path === undefined ? words.onWhole : <FreeText text={path} className="font-mono text-mono break-all" />}
        {line === undefined || endLine === undefined ? null : `, ${words.onLine(side, line, endLine)}`}
        {note}
      </p>
      {quote === undefined || quote === '' ? null : (
        <pre className="my-1 line-clamp-6 border-s-2 border-line ps-2 font-mono text-mono break-all whitespace-pre-wrap text-soft">
          {quote.split('\n').map(markControls).join('\n')}
        </pre>
      )}
      <p dir="auto" className="whitespace-pre-wrap">
        {cleanText(text)}
      </p>
    </>
  );
}
