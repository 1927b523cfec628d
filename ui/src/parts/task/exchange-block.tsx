// One message: the name and time above, the words below, ruled at the side.
import type { ReactNode } from 'react';
import { FreeText } from '../marks/free-text.tsx';
import { Ago } from '../marks/time.tsx';
import { MarkdownText } from '../markdown.tsx';

export interface ExchangeBlockProps {
  readonly name: string;
  readonly at: string;
  readonly text: string;
  /** Such as the state of delivery. */
  readonly note?: string | undefined;
}

export function ExchangeBlock({ name, at, text, note }: ExchangeBlockProps): ReactNode {
  return (
    <article className="border-s-2 border-line ps-3">
      <h3 className="flex flex-wrap gap-x-2 text-sm text-soft">
        <span className="font-semibold text-ink">
          <FreeText text={name} />
        </span>
        <Ago at={at} isStop />
        {note === undefined ? null : <span>{note}</span>}
      </h3>
      <MarkdownText text={text} />
    </article>
  );
}
