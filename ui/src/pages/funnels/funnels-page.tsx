// The funnels of the tenant; with an id in the address, that one.
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { funnelsQuery, type Funnel } from '../../data/funnels.ts';
import { Page } from '../../frame/page.tsx';
import { useRowKeys } from '../../keys/use-row-keys.ts';
import { FactTable, type FactColumn } from '../../parts/fact-table.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { NoRead } from '../../parts/states/no-read.tsx';
import { useLack, useMe } from '../../session/use-me.ts';
import { funnelWords as words } from '../../words/en-funnels.ts';

import { FunnelPage } from './funnel-page.tsx';

const permission = 'analytics:read';

export function FunnelsPage(): ReactNode {
  const { id } = useParams({ from: '/v1/monitor/funnels/{-$id}' });
  return id === undefined ? <FunnelList /> : <FunnelPage id={id} />;
}

function FunnelList(): ReactNode {
  const lack = useLack(permission);
  const enabled = useMe() !== undefined && lack === undefined;
  const query = useQuery({ ...funnelsQuery, enabled });
  useRowKeys();
  if (lack !== undefined) return <NoRead title={words.title} permission={permission} />;
  return (
    <Page title={words.title}>
      <Answer query={query}>
        {(funnels) => (
          <div className="px-(--page) py-3">
            <FactTable label={words.table} columns={columns} rows={funnels} keyOf={({ funnel_id }) => funnel_id} />
          </div>
        )}
      </Answer>
    </Page>
  );
}

const columns: readonly FactColumn<Funnel>[] = [
  { id: 'name', label: words.columns.name, cell: (funnel) => <NameCell funnel={funnel} /> },
  {
    id: 'steps',
    label: words.columns.steps,
    from: 'md',
    cell: ({ steps }) => (
      <span className="text-sm break-words text-soft">
        {steps.map(({ name, event }, i) => (
          <span key={i}>
            {i === 0 ? null : ' → '}
            <FreeText text={name ?? event} />
          </span>
        ))}
      </span>
    ),
  },
  { id: 'window', label: words.columns.window, atEnd: true, cell: ({ window_hours }) => words.window(window_hours) },
];

function NameCell({ funnel: { funnel_id: id, name, steps, built_in } }: { readonly funnel: Funnel }): ReactNode {
  return (
    <>
      <Link
        to="/v1/monitor/funnels/{-$id}"
        params={{ id }}
        data-row
        className="inline-flex min-h-6 items-center rounded-sm font-semibold hover:underline pointer-coarse:min-h-11"
      >
        <FreeText text={name} />
      </Link>
      {built_in ? <span className="ms-2 text-sm text-soft">{words.builtIn}</span> : null}
      <span className="block text-sm text-soft md:hidden">{words.steps(steps.length)}</span>
    </>
  );
}
