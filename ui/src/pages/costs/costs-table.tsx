// Usage by group as a table: share, cost, what has no price, tasks, tokens. A group leads to its tasks.
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { durationText } from '../../parts/marks/duration.ts';
import { DataTable, type Column } from '../../parts/table.tsx';
import { commonWords } from '../../words/en-common.ts';
import { costsWords as words } from '../../words/service/en-costs.ts';
import type { Grouping } from './costs-search.ts';
import { shareOf, sumOf, type DayRange, type UsageRow } from './usage.ts';

export interface CostsTableProps {
  readonly rows: readonly UsageRow[];
  readonly by: Grouping;
  readonly range: DayRange;
}

export function CostsTable({ rows, by, range }: CostsTableProps): ReactNode {
  const sum = sumOf(rows, words.total);
  const columns: readonly Column<UsageRow>[] = [
    {
      id: 'label',
      head: words.groupings[by],
      cell: (row) => <GroupName row={row} by={by} range={range} isSum={row === sum} />,
    },
    { id: 'share', head: words.columns.share, cell: (row) => <Share share={shareOf(row, sum)} /> },
    {
      id: 'cost',
      head: words.columns.cost,
      atEnd: true,
      cell: ({ cost_usd }) =>
        cost_usd === null ? <span className="text-soft">{words.unpriced}</span> : words.cost(cost_usd),
    },
    {
      id: 'unpriced',
      head: words.columns.unpriced,
      atEnd: true,
      cell: ({ unpriced_tasks }) => words.number(unpriced_tasks),
    },
    { id: 'tasks', head: words.columns.tasks, atEnd: true, cell: ({ tasks }) => words.number(tasks) },
    { id: 'failed', head: words.columns.failed, atEnd: true, cell: ({ failed }) => words.number(failed) },
    {
      id: 'median',
      head: words.columns.median,
      atEnd: true,
      cell: ({ median_seconds }) => (median_seconds === null ? '' : durationText(median_seconds * 1_000, commonWords)),
    },
    { id: 'input', head: words.columns.input, atEnd: true, cell: ({ input_tokens }) => words.compact(input_tokens) },
    {
      id: 'output',
      head: words.columns.output,
      atEnd: true,
      cell: ({ output_tokens }) => words.compact(output_tokens),
    },
    {
      id: 'cached',
      head: words.columns.cached,
      atEnd: true,
      cell: ({ cached_tokens }) => words.compact(cached_tokens),
    },
  ];
  return (
    <div className="px-(--page) pt-2">
      {sum.cost_usd === null && rows.length > 0 ? (
        <p className="py-2 text-xs text-soft">{words.shareOfTokens}</p>
      ) : null}
      <DataTable
        label={words.table(words.groupings[by])}
        columns={columns}
        rows={rows}
        rowKey={({ key, label }) => `${key ?? ''} ${label}`}
        foot={sum}
        grid="md:grid-cols-[minmax(6rem,1fr)_minmax(5rem,auto)_repeat(8,auto)]"
      />
    </div>
  );
}

function GroupName({
  row,
  by,
  range,
  isSum,
}: {
  readonly range: DayRange;
  readonly row: UsageRow;
  readonly by: Grouping;
  readonly isSum: boolean;
}): ReactNode {
  const link = isSum || row.key === null ? undefined : linkOf(row.key, by, range);
  if (row.key === null && !isSum) return <span className="text-soft">{words.nothing}</span>;
  const name = by === 'day' && !isSum ? words.dayText(row.label) : <FreeText text={row.label} />;
  if (link === undefined) return name;
  return (
    <Link {...link} className="rounded-sm hover:underline">
      {name}
    </Link>
  );
}

/** The list of the tasks of the group: those that ended in these days, including steps of runs. */
function linkOf(key: string, by: Grouping, { from, to }: DayRange): LinkProps | undefined {
  const days = { ended: `${from}..${to}`, steps: true } as const;
  switch (by) {
    case 'codebase':
      return { to: '/v1/monitor/tasks', search: { codebase: key, ...days } };
    case 'worker':
      return { to: '/v1/monitor/tasks', search: { worker: key, ...days } };
    case 'created_by':
      return { to: '/v1/monitor/tasks', search: { by: key, ...days } };
    case 'agent':
      return { to: '/v1/monitor/tasks', search: { target: key, ...days } };
    case 'agent_type':
      return { to: '/v1/monitor/tasks', search: { agent: key, ...days } };
    case 'ralph_run':
      return { to: '/dashboard/ralph/$id', params: { id: key } };
    case 'day':
      return { to: '/v1/monitor/costs', search: { from: key, to: key } };
    case 'model':
      return undefined;
  }
}

function Share({ share }: { readonly share: number | null }): ReactNode {
  if (share === null) return null;
  return (
    <span className="flex items-center gap-2">
      <span className="h-1.5 w-14 shrink-0 bg-sunk" aria-hidden>
        <span className="block h-full bg-accent" style={{ width: `${share * 100}%` }} />
      </span>
      <span className="text-sm">{words.percent(share)}</span>
    </span>
  );
}
