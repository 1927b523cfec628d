// The keys of a list of tasks: move, open, select, and the actions of the row of now.
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Task } from '../../data/tasks.ts';
import { useActions, type Action } from '../../keys/actions.ts';
import { useTaskActions } from '../../parts/task/use-task-actions.ts';
import { taskListWords as words } from '../../words/en-tasks.ts';

export interface ListKeys {
  readonly tasks: readonly Task[];
  /** Index of the row of now; −1 without one. */
  readonly current: number;
  readonly focusRow: (index: number) => void;
  readonly select?: (index: number) => void;
}

export function useListKeys({ tasks, current, focusRow, select }: ListKeys): void {
  const navigate = useNavigate();
  const task = tasks[current];
  const ofTask = useTaskActions(task);
  const actions = useMemo((): readonly Action[] => {
    const to = (index: number): void => {
      if (tasks.length > 0) focusRow(Math.max(0, Math.min(tasks.length - 1, index)));
    };
    const open = (id: string): void => void navigate({ to: '/v1/monitor/tasks/$id', params: { id } });
    return [
      { id: 'next', label: words.next, keys: 'j', group: 'page', run: () => to(current + 1) },
      { id: 'previous', label: words.previous, keys: 'k', group: 'page', run: () => to(current - 1) },
      {
        id: 'focus-filter',
        label: words.focusFilter,
        keys: '/',
        group: 'page',
        run: () => document.querySelector<HTMLElement>('[data-filter] input')?.focus(),
      },
      ...(task === undefined
        ? []
        : [
            { id: 'open', label: words.open, keys: 'mod+Enter', group: 'page' as const, run: () => open(task.id) },
            ...(select === undefined
              ? []
              : [{ id: 'select', label: words.select, keys: 'x', group: 'page' as const, run: () => select(current) }]),
            ...ofTask.map(({ id, label, keys, run, disabledReason }) => ({
              id: `task-${id}`,
              label,
              keys,
              group: 'page' as const,
              run,
              disabledReason,
            })),
          ]),
    ];
  }, [tasks, current, focusRow, select, task, ofTask, navigate]);
  useActions(actions);
}
