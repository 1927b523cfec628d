// The runs of a schedule, newest first: what became of each due time.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Tabs } from '../../parts/controls/tabs.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Ago } from '../../parts/marks/time.tsx';
import { Section } from '../../parts/section.tsx';
import { PagedAnswer } from '../../parts/states/paged-answer.tsx';
import { DataTable, type Column } from '../../parts/table.tsx';
import { scheduleWords as words } from '../../words/en-schedules.ts';
import { useScheduleRuns, type ScheduleRun } from './schedule-data.ts';
import { ScheduleRunMark } from './schedule-marks.tsx';
import { runStatuses, type ScheduleSearch } from './schedules-search.ts';

const names = words.runColumns;

const columns: readonly Column<ScheduleRun>[] = [
  { id: 'due', head: names.due, cell: ({ due_at }) => <Ago at={due_at} /> },
  { id: 'status', head: names.status, cell: ({ status }) => <ScheduleRunMark status={status} /> },
  {
    id: 'trigger',
    head: names.trigger,
    cell: ({ trigger }) => <span className="text-soft">{words.triggers[trigger]}</span>,
  },
  { id: 'task', head: names.task, cell: (run) => <TaskLink run={run} /> },
  { id: 'reason', head: names.reason, cell: (run) => <Reason run={run} /> },
];

export function ScheduleRuns({
  id,
  status,
}: {
  readonly id: string;
  readonly status: ScheduleSearch['status'];
}): ReactNode {
  const query = useScheduleRuns(id, status);
  return (
    <Section title={words.runsTitle}>
      <Tabs
        label={words.runTabsLabel}
        current={status ?? 'all'}
        tabs={(['all', ...runStatuses] as const).map((tab) => ({
          id: tab,
          label: words.runTabs[tab],
          link: {
            to: '/v1/monitor/schedules/$id',
            params: { id },
            search: { status: tab === 'all' ? undefined : tab },
            resetScroll: false,
          },
        }))}
      />
      <PagedAnswer query={query}>
        {(runs) =>
          runs.length === 0 ? (
            <p className="py-3 text-soft">{status === undefined ? words.noRuns : words.noRunsFit}</p>
          ) : (
            <DataTable
              label={words.runsTitle}
              columns={columns}
              rows={runs}
              rowKey={({ run_id }) => run_id}
              grid="md:grid-cols-[auto_auto_auto_auto_minmax(0,1fr)]"
            />
          )
        }
      </PagedAnswer>
    </Section>
  );
}

function TaskLink({ run: { task_id: id } }: { readonly run: ScheduleRun }): ReactNode {
  if (id === null) return <None />;
  return (
    <Link
      to="/v1/monitor/tasks/$id"
      params={{ id }}
      data-row
      className="inline-flex min-h-6 items-center rounded-sm text-accent underline pointer-coarse:min-h-11"
    >
      {words.openTask}
    </Link>
  );
}

function Reason({ run: { reason, error, missed_count } }: { readonly run: ScheduleRun }): ReactNode {
  if (missed_count !== null) return <span className="text-soft">{words.missedTimes(missed_count)}</span>;
  const text = error?.message ?? (reason === null ? undefined : (words.reasons[reason] ?? reason));
  return text === undefined ? <None /> : <FreeText text={text} className="text-sm text-soft" />;
}

/** A phone shows the name of the column before it, so the place is not left empty there. */
function None(): ReactNode {
  return <span className="text-soft md:hidden">{words.none}</span>;
}
