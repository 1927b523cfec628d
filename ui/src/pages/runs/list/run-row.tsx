// One row of the list of runs; on a phone it has three lines.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isRunEnded, type Run } from '../../../data/runs/runs.ts';
import { FreeText } from '../../../parts/marks/free-text.tsx';
import { Age, Ago } from '../../../parts/marks/time.tsx';
import { RunMark, StoryBar } from '../../../parts/run/run-mark.tsx';
import { spentOfBudget } from '../../../parts/run/spent.ts';
import { runWords as words } from '../../../words/runs/en-runs.ts';

const rowGrid =
  'grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 px-(--page) lg:grid-cols-[104px_minmax(0,1fr)_170px_130px_64px_120px_minmax(0,1fr)_80px]';

export function RunRow({ run }: { readonly run: Run }): ReactNode {
  const [question] = run.questions;
  return (
    <div role="row" className={`${rowGrid} min-h-(--row) items-center border-b border-line py-1 hover:bg-sunk`}>
      <div role="cell" className="order-3 text-sm lg:order-none">
        <RunMark status={run.status} />
      </div>
      <div role="cell" className="order-1 flex min-w-0 lg:order-none">
        <Link
          to="/dashboard/ralph/$id"
          params={{ id: run.run_id }}
          data-run-row
          className="flex min-h-(--control) min-w-0 items-center truncate rounded-sm font-semibold hover:underline lg:min-h-6"
        >
          <span className="truncate">
            <FreeText text={run.project === '' ? words.untitled : run.project} />
          </span>
        </Link>
      </div>
      <div role="cell" className="hidden min-w-0 truncate font-mono text-xs text-soft lg:block">
        <FreeText text={run.branch_name} />
      </div>
      <div role="cell" className="order-4 lg:order-none">
        <StoryBar run={run} />
      </div>
      <div role="cell" className="hidden text-sm text-soft lg:block">
        {words.iterationOf(run.current_iteration, run.max_iterations)}
      </div>
      <div role="cell" className="hidden truncate text-sm text-soft lg:block">
        {spentOfBudget(run)}
      </div>
      <div role="cell" className="order-5 col-span-2 min-w-0 truncate text-sm text-ask lg:order-none lg:col-auto">
        {question === undefined ? null : <FreeText text={questionLine(question)} />}
      </div>
      <div role="cell" className="order-2 min-w-0 truncate text-sm text-soft lg:order-none">
        {isRunEnded(run) && run.started_at !== null ? (
          <Age since={run.started_at} until={run.completed_at} />
        ) : (
          <Ago at={run.created_at} />
        )}
      </div>
    </div>
  );
}

function questionLine({ text }: Run['questions'][number]): string {
  return text.split('\n', 1)[0] ?? '';
}

export function RunListHead(): ReactNode {
  const columns = ['state', 'project', 'branch', 'stories', 'iteration', 'spent', 'question', 'age'] as const;
  return (
    <div
      role="row"
      className={`${rowGrid} sticky top-12 z-10 hidden min-h-8 items-center border-b border-edge bg-ground text-xs text-soft lg:grid`}
    >
      {columns.map((column) => (
        <div key={column} role="columnheader" className="min-w-0 truncate">
          {words.columns[column]}
        </div>
      ))}
    </div>
  );
}
