// Slots in all, busy and asked for, by codebase.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCodebaseName, workersQuery } from '../../data/fleet/fleet.ts';
import { taskListQuery } from '../../data/tasks/task-lists.ts';
import { waitingQuery } from '../../data/fleet/waiting-routes.ts';
import { isServing } from '../../data/fleet/worker-state.ts';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Section } from '../../parts/section.tsx';
import { FactTable, type FactColumn } from '../../parts/fact-table.tsx';
import { useMe } from '../../session/use-me.ts';
import { number } from '../../words/catalogue.ts';
import { fleetWords as words } from '../../words/service/en-fleet.ts';
import { capacityOf, type Capacity } from './capacity.ts';

const mostRunning = 200;

export function CapacityStrip(): ReactNode {
  const permissions = useMe()?.permissions;
  const { data: workers = [] } = useQuery(workersQuery());
  const { data: waiting } = useQuery({
    ...waitingQuery(),
    enabled: permissions?.includes('monitor:read') === true,
  });
  const { data: running = [] } = useQuery({
    ...taskListQuery({ status: 'running', steps: true, limit: mostRunning }),
    enabled: permissions?.includes('tasks:read') === true,
  });
  const serving = workers.filter(isServing);
  const slots = serving.reduce((sum, worker) => sum + worker.slots, 0);
  const busy = serving.reduce((sum, worker) => sum + worker.running, 0);
  const asked = (waiting?.routes ?? []).reduce((sum, route) => sum + route.count, 0);
  const rows = capacityOf({ workers: serving, running, routes: waiting?.routes ?? [] });
  return (
    <Section
      title={words.capacity}
      aside={
        <span role="status" className="text-sm text-soft">
          {words.capacityNow(busy, slots, waiting?.capped === true ? words.atLeast(asked) : number(asked))}
        </span>
      }
    >
      <Bar busy={busy} slots={slots} waiting={asked} />
      {rows.length === 0 ? null : <CapacityTable rows={rows} />}
    </Section>
  );
}

function CapacityTable({ rows }: { readonly rows: readonly Capacity[] }): ReactNode {
  const codebaseName = useCodebaseName();
  const names = words.capacityColumns;
  const columns: readonly FactColumn<Capacity>[] = [
    {
      id: 'codebase',
      label: names.codebase,
      cell: ({ codebaseId }) =>
        codebaseId === 'global' ? (
          words.anyCodebase
        ) : (
          <Link to="/v1/monitor/codebases/$id" params={{ id: codebaseId }} className="rounded-sm hover:underline">
            <FreeText text={codebaseName(codebaseId)} />
          </Link>
        ),
    },
    {
      id: 'bar',
      label: words.loadBar,
      from: 'md',
      cell: ({ busy, slots, waiting }) => <Bar busy={busy} slots={slots} waiting={waiting} />,
    },
    { id: 'slots', label: names.slots, cell: ({ slots }) => number(slots), atEnd: true },
    { id: 'busy', label: names.busy, cell: ({ busy }) => number(busy), atEnd: true },
    { id: 'waiting', label: names.waiting, cell: ({ waiting }) => number(waiting), atEnd: true },
    { id: 'load', label: names.load, from: 'md', cell: (row) => <Load row={row} />, atEnd: true },
  ];
  return (
    <div className="mt-3">
      <FactTable label={words.capacityTable} columns={columns} rows={rows} keyOf={({ codebaseId }) => codebaseId} />
      <p className="mt-1 text-xs text-soft">{words.capacityShared}</p>
    </div>
  );
}

function Load({ row: { slots, waiting } }: { readonly row: Capacity }): ReactNode {
  if (waiting === 0) return null;
  if (slots === 0) return <span className="font-semibold text-bad">{words.noSlots}</span>;
  return <span className={waiting > slots ? 'font-semibold text-ask' : ''}>{words.load(waiting / slots)}</span>;
}

/** Busy slots, free slots, and what is asked for beyond them, as lengths of one bar; the figures stand beside it. */
function Bar({ busy, slots, waiting }: Omit<Capacity, 'codebaseId'>): ReactNode {
  const whole = Math.max(1, slots, busy + waiting);
  const asked = Math.min(waiting, whole - busy);
  return (
    <div aria-hidden className="flex h-2.5 min-w-24 border border-edge bg-paper">
      <div className="bg-running" style={{ width: `${(100 * Math.min(busy, whole)) / whole}%` }} />
      <div className="border-e border-edge bg-ask/40" style={{ width: `${(100 * asked) / whole}%` }} />
    </div>
  );
}
