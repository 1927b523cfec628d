// The facts of the compared tasks, a column each, and the choice of one of them.
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { tokensOf } from '../../data/tasks/tasks.ts';
import { Button } from '../../parts/controls/button.tsx';
import { copyText } from '../../parts/controls/copy.ts';
import { durationText } from '../../parts/marks/duration.ts';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { StateMark, type MarkState } from '../../parts/marks/state-mark.tsx';
import { notify, notifyError } from '../../parts/states/notices.tsx';
import { TaskMark } from '../../parts/task/task-state.tsx';
import { useLack } from '../../session/use-me.ts';
import { cleanTitle } from '../../text/clean.ts';
import { number } from '../../words/catalogue.ts';
import { commonWords } from '../../words/en-common.ts';
import { compareWords as words } from '../../words/tasks/en-compare.ts';
import { taskWords } from '../../words/tasks/en-task.ts';
import { taskPageWords } from '../../words/tasks/en-task-page.ts';
import { CancelRest } from './cancel-rest.tsx';
import { durationOf, restOf, testsSaid, usageOf, type ComparedColumn } from './columns.ts';

const cell = 'border-b border-line px-3 py-1.5 text-start align-top';

const facts: readonly {
  readonly name: keyof typeof words.rows;
  readonly show: (column: ComparedColumn) => ReactNode;
}[] = [
  { name: 'state', show: (column) => <ColumnState column={column} /> },
  {
    name: 'duration',
    show: (column) => {
      const ms = durationOf(column);
      return ms === undefined ? commonWords.none : durationText(ms, commonWords);
    },
  },
  {
    name: 'tokens',
    show: (column) => {
      const tokens = tokensOf({ ...column.task, usage: usageOf(column) });
      return tokens === undefined ? commonWords.unknown : number(tokens);
    },
  },
  {
    name: 'cost',
    show: (column) => {
      const cost = usageOf(column)?.cost_usd;
      return cost === undefined ? taskWords.unpriced : taskWords.cost(cost);
    },
  },
  { name: 'files', show: ({ files }) => number(files.length) },
  {
    name: 'lines',
    show: ({ files }) =>
      taskWords.lines(
        files.reduce((sum, { added }) => sum + added, 0),
        files.reduce((sum, { removed }) => sum + removed, 0),
      ),
  },
  {
    name: 'tests',
    show: (column) => {
      const said = testsSaid(column);
      return said === undefined ? commonWords.none : <FreeText text={said} />;
    },
  },
];

export function CompareFacts({ columns }: { readonly columns: readonly ComparedColumn[] }): ReactNode {
  return (
    <section aria-labelledby="compare-facts">
      <h2 id="compare-facts" className="mb-2 font-semibold">
        {words.facts}
      </h2>
      <div role="region" aria-label={words.table} tabIndex={0} className="overflow-x-auto">
        <table className="w-full min-w-fit border-collapse text-sm">
          <thead>
            <tr>
              <th scope="col" className={cell}>
                <span className="sr-only">{words.fact}</span>
              </th>
              {columns.map((column) => (
                <th key={column.key} scope="col" className={`${cell} min-w-36 font-semibold`}>
                  <ColumnLink column={column} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {facts.map(({ name, show }) => (
              <tr key={name}>
                <th scope="row" className={`${cell} font-normal whitespace-nowrap text-soft`}>
                  {words.rows[name]}
                </th>
                {columns.map((column) => (
                  <td key={column.key} className={cell}>
                    {show(column)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td className={cell} />
              {columns.map((column) => (
                <td key={column.key} className={cell}>
                  <Choice columns={columns} column={column} />
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
    </section>
  );
}

export function nameOf({ task, attempt }: ComparedColumn): string {
  if (attempt !== undefined) return words.attempt(attempt.place);
  return task.title === '' ? taskWords.untitled : task.title;
}

function ColumnLink({ column }: { readonly column: ComparedColumn }): ReactNode {
  const { task, attempt } = column;
  return (
    <Link
      to="/v1/monitor/tasks/$id/$part"
      params={{ id: task.id, part: 'changes' }}
      search={{ attempt: attempt?.place }}
      className="underline"
    >
      <FreeText text={nameOf(column)} />
    </Link>
  );
}

const attemptMarks: Readonly<Record<string, MarkState>> = {
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
  needs_input: 'needs_input',
  running: 'running',
};

function ColumnState({ column: { task, attempt } }: { readonly column: ComparedColumn }): ReactNode {
  if (attempt === undefined) return <TaskMark task={task} />;
  const outcome = attempt.outcome ?? 'running';
  return <StateMark state={attemptMarks[outcome] ?? 'failed'} word={taskPageWords.outcomes[outcome]} />;
}

function Choice({
  columns,
  column,
}: {
  readonly columns: readonly ComparedColumn[];
  readonly column: ComparedColumn;
}): ReactNode {
  const [isCancelling, setCancelling] = useState(false);
  const lack = useLack('tasks:write');
  const rest = restOf(columns, column);
  const take = async (): Promise<void> => {
    const command = `git merge switchyard/${column.task.id}`;
    if (await copyText(command)) notify(words.taken(command));
    else notifyError(commonWords.copyFailed);
  };
  const reason = column.files.length === 0 ? words.noBranch : column.isNewest ? undefined : words.olderAttempt;
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        kind="primary"
        label={words.takeName(cleanTitle(nameOf(column)))}
        disabledReason={reason}
        onClick={() => void take()}
      >
        {words.take}
      </Button>
      {rest.length === 0 ? null : (
        <Button kind="danger" disabledReason={lack} onClick={() => setCancelling(true)}>
          {words.cancelRest}
        </Button>
      )}
      {isCancelling ? <CancelRest tasks={rest} onClose={() => setCancelling(false)} /> : null}
    </div>
  );
}
