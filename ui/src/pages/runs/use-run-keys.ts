// The keys of the list of runs: move between rows, search.
import { useMemo } from 'react';
import { useActions } from '../../keys/actions.ts';
import { runWords as words } from '../../words/runs/en-runs.ts';

/** The rows are links: Enter opens the one that has the focus. */
export function useRunKeys(): void {
  useActions(
    useMemo(
      () => [
        { id: 'next', label: words.nextRun, keys: 'j', group: 'page' as const, run: () => moveBy(1) },
        { id: 'previous', label: words.previousRun, keys: 'k', group: 'page' as const, run: () => moveBy(-1) },
        {
          id: 'search-runs',
          label: words.search,
          keys: '/',
          group: 'page' as const,
          run: () => document.querySelector<HTMLElement>('[data-filter] input')?.focus(),
        },
      ],
      [],
    ),
  );
}

function moveBy(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-run-row]')];
  const current = rows.findIndex((row) => row === document.activeElement);
  rows[Math.max(0, Math.min(rows.length - 1, current + step))]?.focus();
}
