// The messages of an agent's session, in short, and the tools that it used.
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, dataOf } from '../../api/api.ts';
import { Button } from '../../parts/controls/button.tsx';
import { Waiting } from '../../parts/states/waiting.tsx';
import { ExchangeBlock } from '../../parts/task/exchange-block.tsx';
import { codebaseWords as words } from '../../words/service/en-codebases.ts';
import { commonWords } from '../../words/en-common.ts';
import type { Session } from './session.ts';

const pageSize = 50;

export function SessionMessages({ session }: { readonly session: Session }): ReactNode {
  const { codebase_id: id, session_id: sid } = session;
  const query = useInfiniteQuery({
    queryKey: ['sessions', id, 'messages', sid],
    initialPageParam: '',
    queryFn: async ({ pageParam }) => {
      const params = { path: { id, sid }, query: { limit: pageSize, cursor: pageParam || undefined } };
      return dataOf(api().GET('/v1/agent/codebases/{id}/sessions/{sid}/messages', { params }));
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  if (query.data === undefined) {
    return <Waiting query={query} rows={2} />;
  }
  const messages = query.data.pages.flatMap((page) => page.messages);
  const tools = toolText(session.tool_usage);
  return (
    <div className="grid gap-3 py-2">
      {tools === '' ? null : <p className="text-sm text-soft">{tools}</p>}
      {messages.length === 0 ? <p className="text-sm text-soft">{words.noMessages}</p> : null}
      {messages.map(({ message_id, role, at, summary, tool_usage }) => (
        <ExchangeBlock key={message_id} name={role} at={at} text={summary} note={toolText(tool_usage) || undefined} />
      ))}
      {query.hasNextPage ? (
        <div>
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {commonWords.loadMore}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function toolText(usage: Readonly<Record<string, number>>): string {
  return Object.entries(usage)
    .map(([name, times]) => words.tools(name, times))
    .join(', ');
}
