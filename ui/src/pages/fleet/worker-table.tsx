// The workers as a table; on a phone the agents and the host stand under the name.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCodebaseName, type Worker } from '../../data/fleet/fleet.ts';
import { serviceHealthQuery } from '../../data/fleet/service-health.ts';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { SlotSquares } from '../../parts/marks/slot-squares.tsx';
import { FactTable, type FactColumn } from '../../parts/fact-table.tsx';
import { useMe } from '../../session/use-me.ts';
import { number } from '../../words/catalogue.ts';
import { fleetWords as words } from '../../words/service/en-fleet.ts';
import { WorkerMark } from './worker-mark.tsx';

export function WorkerTable({ workers }: { readonly workers: readonly Worker[] }): ReactNode {
  const codebaseName = useCodebaseName();
  const service = useServiceVersion();
  const { columns: names } = words;
  const columns: readonly FactColumn<Worker>[] = [
    { id: 'name', label: names.name, cell: (worker) => <NameCell worker={worker} /> },
    { id: 'state', label: names.state, cell: (worker) => <WorkerMark worker={worker} /> },
    {
      id: 'slots',
      label: names.slots,
      from: 'md',
      cell: ({ running, slots }) => (
        <SlotSquares busy={running} slots={slots} label={words.slotsShort(running, slots)} />
      ),
    },
    { id: 'agents', label: names.agents, from: 'md', cell: (worker) => <AgentsCell worker={worker} /> },
    { id: 'models', label: names.models, from: 'lg', cell: ({ models }) => <ListText items={models} /> },
    {
      id: 'codebases',
      label: names.codebases,
      from: 'lg',
      cell: ({ codebases }) => <ListText items={codebases.map(codebaseName)} />,
    },
    {
      id: 'version',
      label: names.version,
      from: 'md',
      cell: ({ version }) => <Version version={version} service={service} />,
    },
    {
      id: 'host',
      label: names.host,
      from: 'lg',
      cell: ({ hostname }) => <FreeText text={hostname} className="text-sm text-soft" />,
    },
    {
      id: 'done',
      label: names.done,
      from: 'md',
      cell: ({ tasks_completed }) => number(tasks_completed),
      atEnd: true,
    },
  ];
  return <FactTable label={words.workers} columns={columns} rows={workers} keyOf={({ worker_id }) => worker_id} />;
}

function NameCell({ worker }: { readonly worker: Worker }): ReactNode {
  return (
    <>
      <Link
        to="/v1/monitor/fleet/$id"
        params={{ id: worker.worker_id }}
        data-row
        className="inline-flex min-h-6 items-center rounded-sm font-semibold hover:underline pointer-coarse:min-h-11"
      >
        <FreeText text={worker.name} />
      </Link>
      <span className="block text-sm text-soft md:hidden">
        <FreeText text={worker.agents.join(', ') || words.noAgents} /> {words.slots(worker.running, worker.slots)}
      </span>
    </>
  );
}

function AgentsCell({ worker: { agents, agents_missing } }: { readonly worker: Worker }): ReactNode {
  return (
    <span className="text-sm">
      {agents.length === 0 ? <span className="text-soft">{words.noAgents}</span> : <ListText items={agents} all />}
      {agents_missing.length === 0 ? null : (
        <span className="ms-1.5 whitespace-nowrap text-soft">{words.missing(agents_missing.length)}</span>
      )}
    </span>
  );
}

/** A version that is not the service's is marked. */
export function Version({
  version,
  service,
}: {
  readonly version: string;
  readonly service: string | undefined;
}): ReactNode {
  const isOther = service !== undefined && service !== version;
  return (
    <span className="text-sm">
      <FreeText text={version} className={isOther ? 'font-semibold text-ask' : 'text-soft'} />
      {isOther ? <span className="block text-xs text-soft">{words.skew(service)}</span> : null}
    </span>
  );
}

/** The version of the service; undefined for a caller who may not read its health. */
export function useServiceVersion(): string | undefined {
  const mayRead = useMe()?.permissions.includes('monitor:read') === true;
  return useQuery({ ...serviceHealthQuery(), enabled: mayRead }).data?.versions.service;
}

/** The first name and how many others there are, or all names. */
function ListText({ items, all = false }: { readonly items: readonly string[]; readonly all?: boolean }): ReactNode {
  const [first, ...others] = items;
  if (first === undefined) return null;
  const text = all ? items.join(', ') : others.length === 0 ? first : words.many(first, others.length);
  return (
    <span title={items.join(', ')} className="text-sm">
      <FreeText text={text} />
    </span>
  );
}
