// The keys of a list of tasks: move, open, select, and the actions of the current row.
import { useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Task } from '../../../data/tasks/tasks.ts';
import { useActions, type Action } from '../../../keys/actions.ts';
import { useLatest } from '../../../parts/use-latest.ts';
import { useTaskActions } from '../../../parts/task/use-task-actions.ts';
import { taskListWords as words } from '../../../words/tasks/en-tasks.ts';

export interface ListKeys {
  readonly tasks: readonly Task[];
  /** Index of the current row; −1 without one. */
  readonly current: number;
  readonly focusRow: (index: number) => void;
  /** @param isRange all from the row that was selected last */
  readonly select?: (index: number, isRange: boolean) => void;
  readonly selectAll?: () => void;
}

export function useListKeys({ tasks, current, focusRow, select, selectAll }: ListKeys): void {
  const router = useRouter();
  const task = tasks[current];
  const ofTask = useTaskActions(task);
  // A list that scrolls renders with each frame: its actions stay the same ones.
  const latest = useLatest({ tasks, current, focusRow, select, selectAll });
  const [isAtTask, canSelect, canSelectAll] = [task !== undefined, select !== undefined, selectAll !== undefined];
  const actions = useMemo((): readonly Action[] => {
    const move = (by: 1 | -1): void => {
      const list = latest.current;
      const last = list.tasks.length - 1;
      if (last >= 0) list.focusRow(Math.max(0, Math.min(last, list.current + by)));
    };
    const openTab = (): void => {
      const id = latest.current.tasks[latest.current.current]?.id;
      if (id === undefined) return;
      window.open(router.buildLocation({ to: '/v1/monitor/tasks/$id', params: { id } }).href, '_blank', 'noopener');
    };
    const page = { group: 'page' } as const;
    return [
      { ...page, id: 'next', label: words.next, keys: 'j', otherKeys: 'ArrowDown', run: () => move(1) },
      { ...page, id: 'previous', label: words.previous, keys: 'k', otherKeys: 'ArrowUp', run: () => move(-1) },
      {
        ...page,
        id: 'focus-filter',
        label: words.focusFilter,
        keys: '/',
        run: () => document.querySelector<HTMLElement>('[data-filter] input')?.focus(),
      },
      ...(canSelectAll
        ? [{ ...page, id: 'select-all', label: words.selectAll, keys: '*', run: () => latest.current.selectAll?.() }]
        : []),
      ...(isAtTask ? [{ ...page, id: 'open', label: words.openTab, keys: 'mod+Enter', run: openTab }] : []),
      ...(isAtTask && canSelect
        ? [
            {
              ...page,
              id: 'select',
              label: words.select,
              keys: 'x',
              run: () => latest.current.select?.(latest.current.current, false),
            },
            {
              ...page,
              id: 'select-range',
              label: words.selectRange,
              keys: 'X',
              run: () => latest.current.select?.(latest.current.current, true),
            },
          ]
        : []),
      ...ofTask.map((action) => ({ ...page, ...action, id: `task-${action.id}` })),
    ];
  }, [latest, isAtTask, canSelect, canSelectAll, ofTask, router]);
  useActions(actions);
}
