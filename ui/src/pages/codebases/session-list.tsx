// The sessions of agents in a codebase, the latest first: their messages in short, and Resume.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, dataOf } from '../../api/api.ts';
import { useWorkerName } from '../../data/fleet/fleet.ts';
import { Button } from '../../parts/controls/button.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Ago } from '../../parts/marks/time.tsx';
import { Waiting } from '../../parts/states/waiting.tsx';
import { FactTable, type FactColumn } from '../../parts/fact-table.tsx';
import { useLack } from '../../session/use-me.ts';
import { number } from '../../words/catalogue.ts';
import { codebaseWords as words } from '../../words/service/en-codebases.ts';
import { commonWords } from '../../words/en-common.ts';
import { ResumeDialog } from './resume-dialog.tsx';
import { sessionTitle, type Session } from './session.ts';
import { SessionMessages } from './session-messages.tsx';

const pageSize = 30;
const names = words.sessionColumns;

/** @param q words that the sessions hold; empty: all of them */
export function SessionList({ codebaseId, q }: { readonly codebaseId: string; readonly q: string }): ReactNode {
  const [resumed, setResumed] = useState<Session>();
  const query = useInfiniteQuery({
    queryKey: ['sessions', codebaseId, q],
    initialPageParam: '',
    queryFn: async ({ pageParam }) => {
      const page = { limit: pageSize, cursor: pageParam || undefined, q: q || undefined };
      const params = { path: { id: codebaseId }, query: page };
      return dataOf(api().GET('/v1/agent/codebases/{id}/sessions', { params }));
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  const columns = useColumns(setResumed);
  if (query.data === undefined) {
    return <Waiting query={query} rows={3} />;
  }
  const sessions = query.data.pages.flatMap((page) => page.sessions);
  if (sessions.length === 0) return <p className="text-soft">{q === '' ? words.noSessions : words.noSessionsFound}</p>;
  return (
    <>
      <FactTable label={words.sessionTable} columns={columns} rows={sessions} keyOf={({ session_id }) => session_id} />
      {query.hasNextPage ? (
        <Button className="mt-3" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {commonWords.loadMore}
        </Button>
      ) : null}
      {resumed === undefined ? null : <ResumeDialog session={resumed} onClose={() => setResumed(undefined)} />}
    </>
  );
}

function useColumns(resume: (session: Session) => void): readonly FactColumn<Session>[] {
  const workerName = useWorkerName();
  const lack = useLack('tasks:write');
  return [
    { id: 'title', label: names.title, cell: (session) => <SessionCell session={session} /> },
    {
      id: 'agent',
      label: names.agent,
      from: 'md',
      cell: ({ agent }) => <FreeText text={agent ?? ''} className="text-sm" />,
    },
    {
      id: 'worker',
      label: names.worker,
      from: 'lg',
      cell: ({ worker_id }) =>
        worker_id === null ? '' : <FreeText text={workerName(worker_id)} className="text-sm text-soft" />,
    },
    {
      id: 'messages',
      label: names.messages,
      from: 'md',
      cell: ({ message_count }) => number(message_count),
      atEnd: true,
    },
    {
      id: 'activity',
      label: names.activity,
      from: 'md',
      cell: ({ last_activity_at }) => (
        <span className="text-sm text-soft">
          <Ago at={last_activity_at} />
        </span>
      ),
      atEnd: true,
    },
    {
      id: 'resume',
      label: names.resume,
      cell: (session) => (
        <Button disabledReason={lack} label={words.resumeOf(sessionTitle(session))} onClick={() => resume(session)}>
          {words.resume}
        </Button>
      ),
      atEnd: true,
    },
  ];
}

/** The title opens the messages, which are read then. */
function SessionCell({ session }: { readonly session: Session }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary
        data-row
        aria-label={words.showMessages(sessionTitle(session))}
        className="min-h-(--row) cursor-pointer py-1.5"
      >
        <FreeText text={sessionTitle(session)} />
      </summary>
      {isOpen ? <SessionMessages session={session} /> : null}
    </details>
  );
}
