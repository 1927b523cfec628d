// The keys of a board: arrows between columns, j and k between cards, e for the evidence.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Run } from '../../../data/runs/runs.ts';
import { useActions, type Action } from '../../../keys/actions.ts';
import { runWords as words } from '../../../words/runs/en-runs.ts';
import { boardColumns, columnOf } from './run-board.tsx';

/** A place on the board: a column and a card in it. */
interface Place {
  readonly column: number;
  readonly card: number;
}

/** The cards are links: Enter opens the one that has the focus. @param open the story beside the board */
export function useBoardKeys(run: Run, open: string | undefined): void {
  const navigate = useNavigate();
  const { evidence } = useSearch({ strict: false });
  useActions(
    useMemo((): readonly Action[] => {
      const { run_id: id } = run;
      const columns = boardColumns.map((status) => columnOf(run, status).map((story) => story.story_id));
      const focus = (place: Place): void => focusCard(columns[place.column]?.[place.card]);
      const move = (step: (from: Place) => Place | undefined): void => {
        const from = placeOf(columns, focusedStory() ?? open);
        const to = from === undefined ? firstPlace(columns) : step(from);
        if (to !== undefined) focus(to);
      };
      const showEvidence = (): void => {
        const story = open ?? focusedStory();
        if (story === undefined) return;
        const isShown = open === story && evidence === true;
        void navigate({
          to: '/dashboard/ralph/$id/$story',
          params: { id, story },
          search: { evidence: isShown ? undefined : true },
          replace: open === story,
          resetScroll: false,
        });
      };
      return [
        {
          id: 'next-column',
          label: words.nextColumn,
          keys: 'ArrowRight',
          group: 'page',
          run: () => move((from) => besides(columns, from, 1)),
        },
        {
          id: 'previous-column',
          label: words.previousColumn,
          keys: 'ArrowLeft',
          group: 'page',
          run: () => move((from) => besides(columns, from, -1)),
        },
        {
          id: 'next-card',
          label: words.nextCard,
          keys: 'j',
          group: 'page',
          run: () => move(({ column, card }) => ({ column, card: card + 1 })),
        },
        {
          id: 'previous-card',
          label: words.previousCard,
          keys: 'k',
          group: 'page',
          run: () => move(({ column, card }) => ({ column, card: card - 1 })),
        },
        { id: 'evidence', label: words.showEvidence, keys: 'e', group: 'page', run: showEvidence },
        ...(open === undefined
          ? []
          : [
              {
                id: 'to-board',
                label: words.toBoard,
                keys: 'Escape',
                group: 'page' as const,
                run: () => {
                  void navigate({ to: '/dashboard/ralph/$id', params: { id }, resetScroll: false });
                  requestAnimationFrame(() => focusCard(open));
                },
              },
            ]),
      ];
    }, [run, open, evidence, navigate]),
  );
}

function focusedStory(): string | undefined {
  const card = document.activeElement?.closest('[data-story]');
  return card instanceof HTMLElement ? card.dataset['story'] : undefined;
}

function focusCard(story: string | undefined): void {
  const cards = document.querySelectorAll<HTMLElement>('[data-board] [data-story]');
  [...cards].find(({ dataset }) => dataset['story'] === story)?.focus();
}

function placeOf(columns: readonly (readonly string[])[], story: string | undefined): Place | undefined {
  if (story === undefined) return undefined;
  const column = columns.findIndex((ids) => ids.includes(story));
  return column < 0 ? undefined : { column, card: columns[column]?.indexOf(story) ?? 0 };
}

function firstPlace(columns: readonly (readonly string[])[]): Place | undefined {
  const column = columns.findIndex((ids) => ids.length > 0);
  return column < 0 ? undefined : { column, card: 0 };
}

/** The nearest column with cards on that side, at the same height. */
function besides(columns: readonly (readonly string[])[], from: Place, step: 1 | -1): Place | undefined {
  for (let column = from.column + step; column >= 0 && column < columns.length; column += step) {
    const length = columns[column]?.length ?? 0;
    if (length > 0) return { column, card: Math.min(from.card, length - 1) };
  }
  return undefined;
}
