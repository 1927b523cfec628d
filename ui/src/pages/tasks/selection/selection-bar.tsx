// The bar over a selection: how many tasks, and what can be done with all of them.
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useMemo, useState, type ReactNode } from 'react';
import type { Task } from '../../../data/tasks/tasks.ts';
import { useActions } from '../../../keys/actions.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { useLack } from '../../../session/use-me.ts';
import { taskListWords as words } from '../../../words/tasks/en-tasks.ts';
import type { TaskFilter } from '../task-list-search.ts';
import type { BulkAction } from './bulk-change.ts';
import type { Selection } from './use-selection.ts';

const BulkDialog = lazy(async () => ({ default: (await import('./bulk-dialog.tsx')).BulkDialog }));

const comparable = 4;

export interface SelectionBarProps {
  readonly selection: Selection;
  readonly filter: TaskFilter;
  readonly tasks: readonly Task[];
  /** How many fit the filter, as text. */
  readonly fitting: string | undefined;
}

export function SelectionBar({ selection, filter, tasks, fitting }: SelectionBarProps): ReactNode {
  const navigate = useNavigate();
  const lack = useLack('tasks:write');
  const [action, setAction] = useState<BulkAction>();
  const { ids } = selection;
  const chosen = ids.size;
  const isComparable = chosen >= 2 && chosen <= comparable;
  const compare = useCallback(
    () => void navigate({ to: '/v1/monitor/compare', search: { ids: [...ids].join(',') } }),
    [navigate, ids],
  );
  useActions(
    useMemo(
      () =>
        isComparable ? [{ id: 'compare', label: words.compare, keys: '=', group: 'page' as const, run: compare }] : [],
      [isComparable, compare],
    ),
  );
  if (chosen === 0) return null;
  const isEveryLoaded = chosen === tasks.length;
  return (
    <div className="sticky top-12 z-20 flex flex-wrap items-center gap-2 border-y border-edge bg-paper px-(--page) py-2">
      <span className="font-semibold" role="status">
        {selection.isAll && fitting !== undefined ? words.allFitting(fitting) : words.selected(chosen)}
      </span>
      {(['cancel', 'retry', 'priority'] as const).map((name) => (
        <Button key={name} disabledReason={lack} onClick={() => setAction(name)}>
          {words[name]}
        </Button>
      ))}
      {isComparable ? (
        <Button keys="=" onClick={compare}>
          {words.compare}
        </Button>
      ) : null}
      {isEveryLoaded && !selection.isAll && fitting !== undefined ? (
        <Button kind="quiet" onClick={selection.selectAll}>
          {words.selectAllFitting(fitting)}
        </Button>
      ) : null}
      <Button kind="quiet" onClick={selection.clear}>
        {words.clear}
      </Button>
      {action === undefined ? null : (
        <Suspense>
          <BulkDialog
            action={action}
            target={selection.isAll ? { filter: filterBody(filter) } : { ids: [...selection.ids] }}
            onClose={() => setAction(undefined)}
            onDone={selection.clear}
          />
        </Suspense>
      )}
    </div>
  );
}

/** The filter without what only orders or pages a list. */
function filterBody({ sort: _sort, cursor: _cursor, limit: _limit, ...filter }: TaskFilter): Omit<TaskFilter, 'sort'> {
  return filter;
}
