// Beside a codebase: its facts, and the workers that have it.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWorkerName, type Codebase } from '../../data/fleet/fleet.ts';
import { CodeLine } from '../../parts/controls/code-line.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { SignalMark } from '../../parts/marks/signal-mark.tsx';
import { Ago } from '../../parts/marks/time.tsx';
import { Section } from '../../parts/section.tsx';
import { FactTable, type FactColumn } from '../../parts/fact-table.tsx';
import { shellQuote } from '../../text/curl.ts';
import { codebaseWords as words } from '../../words/service/en-codebases.ts';
import { commonWords } from '../../words/en-common.ts';

const names = words.facts;

export function CodebaseRail({ codebase }: { readonly codebase: Codebase }): ReactNode {
  const { status, workspace_mode, description, created_by, created_at, codebase_id } = codebase;
  return (
    <div className="min-w-0 lg:border-s lg:border-line">
      <Section title={words.bindingsTitle}>
        <BindingTable codebase={codebase} />
      </Section>
      <Section title={words.factsTitle}>
        <Facts
          facts={[
            {
              name: names.state,
              value: <SignalMark signal={status === 'active' ? 'ok' : 'bad'} word={words.statuses[status]} />,
            },
            { name: names.mode, value: words.modes[workspace_mode] },
            ...(description === '' ? [] : [{ name: names.description, value: <FreeText text={description} /> }]),
            { name: names.createdBy, value: <FreeText text={created_by} /> },
            { name: names.created, value: <Ago at={created_at} /> },
            { name: names.id, value: <span className="font-mono text-xs break-all">{codebase_id}</span> },
          ]}
        />
      </Section>
    </div>
  );
}

type Binding = Codebase['bindings'][number];

function BindingTable({ codebase: { bindings, path } }: { readonly codebase: Codebase }): ReactNode {
  const workerName = useWorkerName();
  if (bindings.length === 0) {
    return (
      <>
        <p className="mb-2 text-soft">{words.noBindings}</p>
        <CodeLine
          text={`switchyard worker --server-url ${shellQuote(location.origin)} --codebase ${shellQuote(path)}`}
          copyLabel={commonWords.copy}
          copiedLabel={commonWords.copied}
        />
      </>
    );
  }
  const columns: readonly FactColumn<Binding>[] = [
    {
      id: 'worker',
      label: words.bindingColumns.worker,
      cell: ({ worker_id }) => (
        <Link to="/v1/monitor/fleet/$id" params={{ id: worker_id }} className="underline">
          <FreeText text={workerName(worker_id)} />
        </Link>
      ),
    },
    {
      id: 'path',
      label: words.bindingColumns.path,
      cell: (binding) => <FreeText text={binding.path} className="text-sm break-all text-soft" />,
    },
  ];
  return (
    <FactTable label={words.bindingsTitle} columns={columns} rows={bindings} keyOf={({ worker_id }) => worker_id} />
  );
}
