// What can be done with the selected tasks, after a look at what it would do.
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { api, dataOf } from '../../api/api.ts';
import type { AnswerOf } from '../../api/answer-of.ts';
import type { operations } from '../../../../src/client/api.ts';
import { queryClient } from '../../api/query-client.ts';
import { requireOnline } from '../../data/task-deeds.ts';
import type { Task } from '../../data/tasks.ts';
import { useActions } from '../../keys/actions.ts';
import { Button } from '../../parts/controls/button.tsx';
import { Dialog, DialogActions } from '../../parts/controls/dialog.tsx';
import { TextField } from '../../parts/controls/field.tsx';
import { useLatest } from '../../parts/use-latest.ts';
import { failureText } from '../../parts/states/failure.tsx';
import { notify } from '../../parts/states/notices.tsx';
import { useLack } from '../../session/use-me.ts';
import { taskListWords as words } from '../../words/en-tasks.ts';
import type { TaskFilter } from './task-list-search.ts';
import type { Selection } from './use-selection.ts';

type BulkAction = 'cancel' | 'retry' | 'priority';
type BulkAnswer = AnswerOf<'tasks.bulk'>;

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
        <BulkDialog
          action={action}
          target={selection.isAll ? { filter: filterBody(filter) } : { ids: [...selection.ids] }}
          onClose={() => setAction(undefined)}
          onDone={selection.clear}
        />
      )}
    </div>
  );
}

/** The filter without what only orders or pages a list. */
function filterBody({ sort: _sort, cursor: _cursor, limit: _limit, ...filter }: TaskFilter): Omit<TaskFilter, 'sort'> {
  return filter;
}

interface BulkDialogProps {
  readonly action: BulkAction;
  readonly target: { readonly ids: string[] } | { readonly filter: Omit<TaskFilter, 'sort'> };
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function BulkDialog({ action, target, onClose, onDone }: BulkDialogProps): ReactNode {
  const [priority, setPriority] = useState('50');
  const [plan, setPlan] = useState<BulkAnswer>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const send = async (dry_run: boolean): Promise<BulkAnswer> => {
    const body = { action, ...target, dry_run, ...(action === 'priority' && { priority: Number(priority) }) };
    return bulkOverAllPages(body);
  };
  // The plan is asked for again only when the priority changes: the selection cannot, under a dialog.
  const latest = useLatest(send);
  useEffect(() => {
    setPlan(undefined);
    setProblem(priority === '' ? words.priorityLabel : undefined);
    latest.current(true).then(setPlan, (error: unknown) => setProblem(failureText(error)));
  }, [priority, latest]);
  const carryOut = async (): Promise<void> => {
    setBusy(true);
    try {
      requireOnline();
      const { matched, results } = await send(false);
      notify(words.bulkDone(results.filter(({ ok }) => ok).length, matched));
      await queryClient.invalidateQueries();
      onDone();
      onClose();
    } catch (error) {
      setProblem(error instanceof Error ? failureText(error) : undefined);
      setBusy(false);
    }
  };
  const able = plan?.results.filter(({ ok }) => ok).length ?? 0;
  const left = Map.groupBy(plan?.results.filter(({ ok }) => !ok) ?? [], ({ code }) => code ?? '');
  return (
    <Dialog title={words.bulkTitle[action]} open onClose={onClose} alert>
      {action === 'priority' ? (
        <TextField label={words.priorityLabel} type="number" value={priority} onChange={setPriority} />
      ) : null}
      <div role="status" className="mt-2">
        {plan === undefined && problem === undefined ? <p>{words.checking}</p> : null}
        {plan === undefined ? null : <p>{words.bulkWill(able, plan.matched)}</p>}
        {[...left].map(([code, tasks]) => (
          <p key={code} className="text-soft">
            {words.bulkLeft(tasks.length, code)}
          </p>
        ))}
      </div>
      {problem === undefined ? null : (
        <p role="alert" className="mt-2 text-bad">
          {problem}
        </p>
      )}
      <DialogActions>
        <Button onClick={onClose} autoFocus>
          {words.keep}
        </Button>
        <Button kind="danger" busy={isBusy || plan === undefined} onClick={() => void carryOut()}>
          {words.bulkDo[action](able)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

type BulkBody = NonNullable<operations['tasks.bulk']['requestBody']>['content']['application/json'];

const mostPages = 50;

/** One call takes some thousand tasks; the rest follows by the cursor of its answer. */
async function bulkOverAllPages(body: BulkBody): Promise<BulkAnswer> {
  let matched = 0;
  const results: BulkAnswer['results'] = [];
  let cursor: string | null | undefined;
  for (let pages = 0; pages < mostPages && cursor !== null; pages++) {
    const page = { ...body, ...(cursor !== undefined && { cursor }) };
    const answer = await dataOf(api().POST('/v1/agent/tasks/bulk', { body: page }));
    matched += answer.matched;
    results.push(...answer.results);
    cursor = answer.next_cursor;
  }
  return { matched, results, next_cursor: cursor ?? null };
}
