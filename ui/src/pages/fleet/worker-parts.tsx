// The abilities of a worker: its agents, models, capabilities and codebases; its missing agents; the sessions of its codebases.
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useCodebaseName, type Worker } from '../../data/fleet/fleet.ts';
import { namedCapabilities } from '../../data/fleet/worker-state.ts';
import { Facts, type Fact } from '../../parts/facts.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Ago } from '../../parts/marks/time.tsx';
import { Section } from '../../parts/section.tsx';
import { FactTable, type FactColumn } from '../../parts/fact-table.tsx';
import { useLack } from '../../session/use-me.ts';
import { number } from '../../words/catalogue.ts';
import { commonWords } from '../../words/en-common.ts';
import { fleetWords as words } from '../../words/service/en-fleet.ts';
import { SessionList } from '../codebases/session-list.tsx';
import { useServiceVersion, Version } from './worker-table.tsx';

const names = words.facts;

export function CouldRun({ worker }: { readonly worker: Worker }): ReactNode {
  const service = useServiceVersion();
  const facts: readonly Fact[] = [
    { name: names.agents, value: <Names items={worker.agents} /> },
    { name: names.models, value: <Names items={worker.models} /> },
    { name: names.capabilities, value: <Names items={namedCapabilities(worker)} /> },
    { name: names.codebases, value: <CodebaseLinks worker={worker} /> },
    { name: names.slots, value: number(worker.slots) },
    { name: names.version, value: <Version version={worker.version} service={service} /> },
    { name: names.host, value: <FreeText text={worker.hostname} /> },
    { name: names.os, value: <FreeText text={worker.os} /> },
    { name: names.disk, value: worker.disk_free === null ? commonWords.unknown : words.bytes(worker.disk_free) },
    { name: names.done, value: number(worker.tasks_completed) },
    { name: names.registered, value: <Ago at={worker.registered_at} /> },
    ...(worker.drained_at === null ? [] : [{ name: names.drained, value: <Ago at={worker.drained_at} /> }]),
    { name: names.id, value: <span className="font-mono text-xs break-all">{worker.worker_id}</span> },
  ];
  return (
    <Section title={words.could}>
      <Facts facts={facts} />
    </Section>
  );
}

function Names({ items }: { readonly items: readonly string[] }): ReactNode {
  return items.length === 0 ? (
    <span className="text-soft">{commonWords.none}</span>
  ) : (
    <FreeText text={items.join(', ')} />
  );
}

function CodebaseLinks({ worker }: { readonly worker: Worker }): ReactNode {
  const codebaseName = useCodebaseName();
  return (
    <ul>
      {worker.codebases.map((id) => (
        <li key={id}>
          <Link to="/v1/monitor/codebases/$id" params={{ id }} className="underline">
            <FreeText text={codebaseName(id)} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

type Missing = Worker['agents_missing'][number];

const missingColumns: readonly FactColumn<Missing>[] = [
  { id: 'name', label: words.missingColumns.name, cell: ({ name }) => <FreeText text={name} /> },
  {
    id: 'reason',
    label: words.missingColumns.reason,
    cell: ({ reason }) => <FreeText text={reason} className="text-sm text-soft" />,
  },
];

export function MissingAgents({ worker }: { readonly worker: Worker }): ReactNode {
  if (worker.agents_missing.length === 0) return null;
  return (
    <Section title={words.missingTitle}>
      <FactTable
        label={words.missingTable}
        columns={missingColumns}
        rows={worker.agents_missing}
        keyOf={({ name }) => name}
      />
    </Section>
  );
}

/** The sessions of a codebase are read when its list is opened. */
export function SessionsOfWorker({ worker }: { readonly worker: Worker }): ReactNode {
  const mayRead = useLack('sessions:read') === undefined;
  if (!mayRead) return null;
  return (
    <Section title={words.sessions}>
      {worker.codebases.length === 0 ? <p className="text-soft">{words.noCodebases}</p> : null}
      {worker.codebases.map((id) => (
        <SessionsFold key={id} codebaseId={id} />
      ))}
    </Section>
  );
}

function SessionsFold({ codebaseId }: { readonly codebaseId: string }): ReactNode {
  const codebaseName = useCodebaseName();
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="min-h-(--row) cursor-pointer py-1">
        <FreeText text={words.sessionsOf(codebaseName(codebaseId))} />
      </summary>
      {isOpen ? <SessionList codebaseId={codebaseId} q="" /> : null}
    </details>
  );
}
