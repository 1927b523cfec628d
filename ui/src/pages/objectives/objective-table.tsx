// The objectives as a table; on a phone owner and date stand under the objective.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { FactTable, type FactColumn } from '../../parts/fact-table.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { objectiveWords as words } from '../../words/en-objectives.ts';
import type { Objective } from './objective-data.ts';
import { ObjectiveMark, ProgressBar } from './objective-marks.tsx';

const names = words.columns;

const columns: readonly FactColumn<Objective>[] = [
  { id: 'objective', label: names.objective, cell: (okr) => <ObjectiveCell okr={okr} /> },
  { id: 'status', label: names.status, from: 'md', cell: ({ status }) => <ObjectiveMark status={status} /> },
  { id: 'progress', label: names.progress, cell: ({ progress }) => <ProgressBar progress={progress} /> },
  {
    id: 'results',
    label: names.results,
    from: 'lg',
    cell: (okr) => <span className="text-sm text-soft">{resultsOf(okr)}</span>,
  },
  { id: 'owner', label: names.owner, from: 'md', cell: ({ owner }) => <FreeText text={owner} className="text-sm" /> },
  {
    id: 'due',
    label: names.due,
    from: 'md',
    cell: ({ target_date }) => (
      <span className="text-sm whitespace-nowrap">{target_date === null ? null : words.dueOn(target_date)}</span>
    ),
  },
];

export function ObjectiveTable({ rows }: { readonly rows: readonly Objective[] }): ReactNode {
  return <FactTable label={words.table} columns={columns} rows={rows} keyOf={({ okr_id }) => okr_id} />;
}

export function resultsOf({ key_results: all }: Objective): string {
  return words.resultsOf(all.filter(({ status }) => status === 'completed').length, all.length);
}

function ObjectiveCell({ okr }: { readonly okr: Objective }): ReactNode {
  return (
    <>
      <Link
        to="/v1/monitor/objectives/$id"
        params={{ id: okr.okr_id }}
        data-row
        className="inline-flex min-h-6 items-center rounded-sm font-semibold hover:underline pointer-coarse:min-h-11"
      >
        <span className="line-clamp-2">
          <FreeText text={okr.objective} />
        </span>
      </Link>
      <span className="flex flex-wrap gap-x-3 text-sm md:hidden">
        <ObjectiveMark status={okr.status} />
        <FreeText text={okr.owner} className="text-soft" />
      </span>
    </>
  );
}
