// The schedules as a table; on a phone expression and next time stand under the name.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { FactTable, type FactColumn } from '../../parts/fact-table.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Ago } from '../../parts/marks/time.tsx';
import { commonWords } from '../../words/en-common.ts';
import { scheduleWords as words } from '../../words/en-schedules.ts';
import type { Schedule } from './schedule-data.ts';

const names = words.columns;

const columns: readonly FactColumn<Schedule>[] = [
  { id: 'name', label: names.name, cell: (schedule) => <NameCell schedule={schedule} /> },
  { id: 'expression', label: names.expression, from: 'md', cell: (schedule) => <Expression schedule={schedule} /> },
  { id: 'next', label: names.next, cell: (schedule) => <Next schedule={schedule} /> },
  {
    id: 'last',
    label: names.last,
    from: 'md',
    cell: ({ last_due_at }) => (
      <span className="text-sm text-soft">{last_due_at === null ? commonWords.never : <Ago at={last_due_at} />}</span>
    ),
  },
  { id: 'runs', label: names.runs, from: 'md', atEnd: true, cell: ({ run_count }) => words.number(run_count) },
  {
    id: 'failed',
    label: names.failed,
    from: 'md',
    atEnd: true,
    cell: ({ failure_count }) => (
      <span className={failure_count > 0 ? 'font-semibold text-bad' : 'text-soft'}>{words.number(failure_count)}</span>
    ),
  },
];

export function ScheduleTable({ rows }: { readonly rows: readonly Schedule[] }): ReactNode {
  return <FactTable label={words.table} columns={columns} rows={rows} keyOf={({ cronjob_id }) => cronjob_id} />;
}

function NameCell({ schedule }: { readonly schedule: Schedule }): ReactNode {
  return (
    <>
      <Link
        to="/v1/monitor/schedules/$id"
        params={{ id: schedule.cronjob_id }}
        data-row
        className="inline-flex min-h-6 items-center rounded-sm font-semibold hover:underline pointer-coarse:min-h-11"
      >
        <FreeText text={schedule.name} />
      </Link>
      <span className="block md:hidden">
        <Expression schedule={schedule} />
      </span>
    </>
  );
}

function Expression({ schedule: { cron, timezone } }: { readonly schedule: Schedule }): ReactNode {
  return (
    <span className="text-sm">
      <span className="font-mono">
        <FreeText text={cron} />
      </span>{' '}
      <FreeText text={timezone} className="text-soft" />
    </span>
  );
}

function Next({ schedule: { enabled, next_due_at } }: { readonly schedule: Schedule }): ReactNode {
  if (next_due_at !== null) return <Ago at={next_due_at} />;
  return <span className="text-soft">{enabled ? words.ended : words.states.off}</span>;
}
