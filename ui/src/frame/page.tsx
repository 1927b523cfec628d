// One page: its heading, which takes the focus when the page changes, the title of the window, and its actions.
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { useAttentionCount } from '../live/attention-count.ts';
import { FreeText } from '../parts/marks/free-text.tsx';
import { cleanTitle } from '../text/clean.ts';
import { frameWords as words } from '../words/en-frame.ts';
import { setPageTitle } from './page-title.ts';

export interface PageProps {
  /** Heading and title of the window. */
  readonly title: string;
  readonly actions?: ReactNode;
  /** Stands before the title, such as the mark of a state. */
  readonly mark?: ReactNode;
  /** Content between the heading and the page, such as tabs. */
  readonly below?: ReactNode;
  readonly children: ReactNode;
  /** The heading takes the focus when this changes; default: the path. */
  readonly focusKey?: string;
}

let lastFocusKey: string | undefined;

export function Page({ title, actions, mark, below, children, focusKey }: PageProps): ReactNode {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const heading = useRef<HTMLHeadingElement>(null);
  const { count: open, text: openText } = useAttentionCount();
  const key = focusKey ?? pathname;
  useEffect(() => setPageTitle(title), [title]);
  useEffect(() => {
    document.title = `${open > 0 ? `(${openText}) ` : ''}${cleanTitle(title)} · ${words.product}`;
  }, [title, open, openText]);
  useEffect(() => {
    // The first page of a load leaves the focus where the browser puts it.
    if (lastFocusKey !== undefined && lastFocusKey !== key) heading.current?.focus({ preventScroll: true });
    lastFocusKey = key;
  }, [key]);
  return (
    <>
      <div className="border-b border-line px-(--page) pt-4">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 pb-3">
          {mark}
          <h1 ref={heading} tabIndex={-1} className="min-w-0 text-xl font-bold">
            <FreeText text={title} />
          </h1>
          {actions === undefined ? null : <div className="ms-auto flex flex-wrap items-center gap-2">{actions}</div>}
        </div>
        {below}
      </div>
      {children}
    </>
  );
}
