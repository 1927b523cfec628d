// The codebases as a table; on a phone the path and the workers stand under the name.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCodebaseActivity } from '../../data/fleet/codebase-activity.ts';
import { useWorkerName, type Codebase } from '../../data/fleet/fleet.ts';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { SignalMark } from '../../parts/marks/signal-mark.tsx';
import { Ago } from '../../parts/marks/time.tsx';
import { FactTable, type FactColumn } from '../../parts/fact-table.tsx';
import { useLack } from '../../session/use-me.ts';
import { number } from '../../words/catalogue.ts';
import { codebaseWords as words } from '../../words/service/en-codebases.ts';
import { commonWords } from '../../words/en-common.ts';

const names = words.columns;

export function CodebaseTable({ rows }: { readonly rows: readonly Codebase[] }): ReactNode {
  const mayRead = useLack('tasks:read') === undefined;
  const activityOf = useCodebaseActivity(
    rows.map(({ codebase_id }) => codebase_id),
    mayRead,
  );
  const columns: readonly FactColumn<Codebase>[] = [
    { id: 'name', label: names.name, cell: (codebase) => <NameCell codebase={codebase} /> },
    { id: 'bindings', label: names.bindings, from: 'md', cell: (codebase) => <Bindings codebase={codebase} /> },
    {
      id: 'mode',
      label: names.mode,
      from: 'lg',
      cell: ({ workspace_mode }) => (
        <span className="text-sm text-soft" title={words.modes[workspace_mode]}>
          {words.modesShort[workspace_mode]}
        </span>
      ),
    },
    {
      id: 'open',
      label: names.open,
      cell: ({ codebase_id }) => {
        const { open } = activityOf(codebase_id);
        return open === undefined ? '' : number(open);
      },
      atEnd: true,
    },
    {
      id: 'activity',
      label: names.activity,
      from: 'md',
      cell: ({ codebase_id }) => <LastActivity at={activityOf(codebase_id).at} />,
      atEnd: true,
    },
  ];
  return <FactTable label={words.table} columns={columns} rows={rows} keyOf={({ codebase_id }) => codebase_id} />;
}

function LastActivity({ at }: { readonly at: string | null | undefined }): ReactNode {
  return (
    <span className="text-sm text-soft">
      {at === undefined ? null : at === null ? commonWords.never : <Ago at={at} />}
    </span>
  );
}

function NameCell({ codebase: { codebase_id: id, name, path, bindings } }: { readonly codebase: Codebase }): ReactNode {
  return (
    <>
      <Link
        to="/v1/monitor/codebases/$id"
        params={{ id }}
        data-row
        className="inline-flex min-h-6 items-center rounded-sm font-semibold hover:underline pointer-coarse:min-h-11"
      >
        <FreeText text={name} />
      </Link>
      <span className="block text-sm break-all text-soft md:hidden">
        <FreeText text={path} /> {bindings.length === 0 ? words.statuses.unbound : words.bindings(bindings.length)}
      </span>
    </>
  );
}

/** The workers that have it, with their paths; or that none has it, because its tasks wait. */
function Bindings({ codebase: { bindings } }: { readonly codebase: Codebase }): ReactNode {
  const workerName = useWorkerName();
  if (bindings.length === 0) return <SignalMark signal="bad" word={words.statuses.unbound} />;
  return (
    <ul className="text-sm">
      {bindings.map(({ worker_id, path }) => (
        <li key={worker_id} className="break-all">
          <FreeText text={workerName(worker_id)} /> <FreeText text={path} className="text-soft" />
        </li>
      ))}
    </ul>
  );
}
