// The agents that have a name: workers, and those that registered themselves; whether a task may be sent to them by name.
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, dataOf } from '../../api/api.ts';
import type { AnswerOf } from '../../api/answer-of.ts';
import { Button } from '../../parts/controls/button.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { SignalMark } from '../../parts/marks/signal-mark.tsx';
import { Ago } from '../../parts/marks/time.tsx';
import { Section } from '../../parts/section.tsx';
import { FactTable, type FactColumn } from '../../parts/fact-table.tsx';
import { useMe } from '../../session/use-me.ts';
import { commonWords } from '../../words/en-common.ts';
import { fleetWords as words } from '../../words/service/en-fleet.ts';

type NamedAgent = AnswerOf<'monitor.agents'>['agents'][number];

const pageSize = 50;
const names = words.agentColumns;

const columns: readonly FactColumn<NamedAgent>[] = [
  { id: 'name', label: names.name, cell: ({ name }) => <FreeText text={name} className="font-semibold" /> },
  { id: 'role', label: names.role, from: 'md', cell: ({ role }) => words.roles[role] },
  { id: 'routable', label: names.routable, cell: (agent) => <RoutableMark agent={agent} /> },
  {
    id: 'description',
    label: names.description,
    from: 'lg',
    cell: ({ description }) => <FreeText text={description} className="text-sm text-soft" />,
  },
  {
    id: 'seen',
    label: names.seen,
    cell: ({ last_seen }) => (
      <span className="text-sm text-soft">
        <Ago at={last_seen} />
      </span>
    ),
    atEnd: true,
  },
];

export function AgentsPart(): ReactNode {
  const mayRead = useMe()?.permissions.includes('monitor:read') === true;
  const query = useInfiniteQuery({
    queryKey: ['workers', 'agents'],
    initialPageParam: '',
    queryFn: async ({ pageParam }) => {
      const cursor = pageParam === '' ? undefined : pageParam;
      return dataOf(api().GET('/v1/monitor/agents', { params: { query: { limit: pageSize, cursor } } }));
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
    enabled: mayRead,
  });
  if (query.data === undefined) return null;
  const agents = query.data.pages.flatMap((page) => page.agents);
  return (
    <Section title={words.agents}>
      {agents.length === 0 ? (
        <p className="text-soft">{words.noAgentsHere}</p>
      ) : (
        <FactTable
          label={words.agentsTable}
          columns={columns}
          rows={agents}
          keyOf={({ name, source }) => `${source}:${name}`}
        />
      )}
      {query.hasNextPage ? (
        <Button className="mt-3" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {commonWords.loadMore}
        </Button>
      ) : null}
    </Section>
  );
}

function RoutableMark({ agent: { routable, online } }: { readonly agent: NamedAgent }): ReactNode {
  if (routable) return <SignalMark signal="ok" word={words.routable} />;
  return <SignalMark signal="off" word={online ? words.notRoutable : words.agentOffline} />;
}
