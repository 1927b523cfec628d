// The fleet: capacity by codebase, the workers, and the agents that have a name.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, dataOf } from '../../api/api.ts';
import type { Worker } from '../../data/fleet/fleet.ts';
import { Page } from '../../frame/page.tsx';
import { useRowKeys } from '../../keys/use-row-keys.ts';
import { Button } from '../../parts/controls/button.tsx';
import { CodeLine } from '../../parts/controls/code-line.tsx';
import { Tabs } from '../../parts/controls/tabs.tsx';
import { Section } from '../../parts/section.tsx';
import { Empty } from '../../parts/states/empty.tsx';
import { Waiting } from '../../parts/states/waiting.tsx';
import { NoRead } from '../../parts/states/no-read.tsx';
import { useLack } from '../../session/use-me.ts';
import { shellQuote } from '../../text/curl.ts';
import { commonWords } from '../../words/en-common.ts';
import { fleetWords as words } from '../../words/service/en-fleet.ts';
import { AgentsPart } from './agents-part.tsx';
import { CapacityStrip } from './capacity-strip.tsx';
import type { FleetSearch } from './fleet-search.ts';
import { WorkerTable } from './worker-table.tsx';

const permission = 'workers:read';
const readMs = 10_000;
const pageSize = 100;
const filters = ['all', 'active', 'offline'] as const;

export function FleetPage(): ReactNode {
  const lack = useLack(permission);
  if (lack !== undefined) return <NoRead title={words.title} permission={permission} />;
  return <Fleet />;
}

function Fleet(): ReactNode {
  const { status } = useSearch({ from: '/v1/monitor/fleet' });
  const query = useWorkers(status);
  const workers = query.data?.pages.flatMap((page) => page.workers) ?? [];
  useRowKeys();
  return (
    <Page
      title={words.title}
      below={
        <Tabs
          label={words.filterLabel}
          current={status ?? 'all'}
          tabs={filters.map((filter) => ({
            id: filter,
            label: words.filters[filter],
            link: { to: '/v1/monitor/fleet', search: { status: filter === 'all' ? undefined : filter } },
          }))}
        />
      }
    >
      {query.data === undefined ? <Waiting query={query} /> : null}
      {query.isSuccess && workers.length === 0 ? <NoWorkers isFiltered={status !== undefined} /> : null}
      {workers.length === 0 ? null : (
        <>
          {status === undefined ? <CapacityStrip /> : null}
          <Section title={words.workers}>
            <WorkerTable workers={workers.toSorted(byStateAndName)} />
            {query.hasNextPage ? (
              <Button className="mt-3" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {commonWords.loadMore}
              </Button>
            ) : null}
          </Section>
        </>
      )}
      {status === undefined ? <AgentsPart /> : null}
    </Page>
  );
}

function useWorkers(status: FleetSearch['status']) {
  return useInfiniteQuery({
    queryKey: ['workers', 'pages', status ?? 'all'],
    initialPageParam: '',
    queryFn: async ({ pageParam }) => {
      const query = { status, limit: pageSize, cursor: pageParam === '' ? undefined : pageParam };
      return dataOf(api().GET('/v1/agent/workers', { params: { query } }));
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: readMs,
  });
}

const order: Readonly<Record<Worker['status'], number>> = { active: 0, offline: 1, unregistered: 2 };

function byStateAndName(a: Worker, b: Worker): number {
  return order[a.status] - order[b.status] || a.name.localeCompare(b.name);
}

/** The command that starts a worker for this service. The token's file is a name to replace, never the token. */
function NoWorkers({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  if (isFiltered) return <Empty text={words.emptyFiltered} />;
  const commands = ['switchyard up', `switchyard worker --server-url ${shellQuote(location.origin)} --codebase .`];
  return (
    <Empty text={words.empty}>
      <div className="grid gap-2">
        {commands.map((command) => (
          <CodeLine key={command} text={command} copyLabel={commonWords.copy} copiedLabel={commonWords.copied} />
        ))}
      </div>
      <p className="mt-2 text-sm text-soft">{words.tokenFirst}</p>
    </Empty>
  );
}
