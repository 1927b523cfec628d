// The keys of a page with lists of links: `j` and `k` move the focus over all of them, Enter opens.
import { useMemo } from 'react';
import { commonWords as words } from '../words/en-common.ts';
import { useActions, type Action } from './actions.ts';

/** Moves over the elements that bear `data-row`, in the order of the page. */
export function useRowKeys(): void {
  useActions(
    useMemo(
      (): readonly Action[] => [
        { id: 'next-row', label: words.nextRow, keys: 'j', group: 'page', run: () => move(1) },
        { id: 'previous-row', label: words.previousRow, keys: 'k', group: 'page', run: () => move(-1) },
        {
          id: 'focus-search',
          label: words.focusSearch,
          keys: '/',
          group: 'page',
          run: () => document.querySelector<HTMLElement>('[data-search] input')?.focus(),
        },
      ],
      [],
    ),
  );
}

function move(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  const at = rows.findIndex((row) => row === document.activeElement);
  const next = at === -1 ? (step > 0 ? 0 : rows.length - 1) : Math.max(0, Math.min(rows.length - 1, at + step));
  rows[next]?.focus();
}
