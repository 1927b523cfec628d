// The browsers that are signed in: ending one, signing out of this one, and opening the pages on a phone.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Schemas } from '../../../../src/client/client.ts';
import { api, dataOf } from '../../api/api.ts';
import { useCursorPages } from '../../api/cursor-pages.ts';
import { queryClient } from '../../api/query-client.ts';
import { requireOnline } from '../../data/tasks/task-actions.ts';
import { AskFirst } from '../../parts/controls/ask-first.tsx';
import { Button } from '../../parts/controls/button.tsx';
import { CheckBox } from '../../parts/controls/field.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Ago } from '../../parts/marks/time.tsx';
import { notify, notifyError } from '../../parts/states/notices.tsx';
import { PagedAnswer } from '../../parts/states/paged-answer.tsx';
import { DataTable, type Column } from '../../parts/table.tsx';
import { signOut } from '../../session/sign-in.ts';
import { useMe } from '../../session/use-me.ts';
import { commonWords } from '../../words/en-common.ts';
import { sessionWords } from '../../words/en-session.ts';
import { settingsWords } from '../../words/service/en-settings.ts';
import { PhoneCode } from './phone-code.tsx';

type Session = Schemas['SignInSession'];
const words = settingsWords.sessions;

export function SessionsPart(): ReactNode {
  const { all } = useSearch({ from: '/v1/monitor/settings/$part' });
  const navigate = useNavigate();
  const mayAll = useMe()?.permissions.includes('users:read') === true;
  const [ending, setEnding] = useState<Session>();
  const query = useCursorPages(['sign-in-sessions', all ?? false], async (cursor) => {
    const { sessions, next_cursor } = await dataOf(
      api().GET('/v1/auth/sessions', { params: { query: { limit: 100, cursor, ...(all && { all }) } } }),
    );
    return { rows: sessions, next: next_cursor };
  });
  return (
    <div className="grid gap-8 py-4">
      <PhoneCode />
      <section>
        <div className="flex flex-wrap items-center gap-3 px-(--page) pb-3">
          <h2 className="font-bold">{words.heading}</h2>
          <div className="ms-auto flex flex-wrap items-center gap-4">
            {mayAll ? (
              <CheckBox
                label={settingsWords.everybody}
                checked={all === true}
                onChange={(isOn) =>
                  void navigate({
                    to: '/v1/monitor/settings/$part',
                    params: { part: 'sessions' },
                    search: { all: isOn ? true : undefined },
                  })
                }
              />
            ) : null}
            <Button onClick={() => void signOut().catch(notifyError)}>{sessionWords.signOut}</Button>
          </div>
        </div>
        <PagedAnswer query={query}>
          {(sessions) =>
            sessions.length === 0 ? (
              <p className="px-(--page) text-soft">{words.none}</p>
            ) : (
              <SessionTable sessions={sessions} onEnd={setEnding} />
            )
          }
        </PagedAnswer>
      </section>
      {ending === undefined ? null : (
        <AskFirst
          title={words.endTitle}
          text={words.endText(ending.name)}
          keep={words.keep}
          action={words.endSession}
          onClose={() => setEnding(undefined)}
          onDo={() => endSession(ending.session_id)}
        />
      )}
    </div>
  );
}

async function endSession(id: string): Promise<void> {
  requireOnline();
  await dataOf(api().DELETE('/v1/auth/sessions/{id}', { params: { path: { id } } }));
  notify(words.ended);
  await queryClient.invalidateQueries({ queryKey: ['sign-in-sessions'] });
}

function SessionTable({
  sessions,
  onEnd,
}: {
  readonly sessions: readonly Session[];
  readonly onEnd: (session: Session) => void;
}): ReactNode {
  const columns: readonly Column<Session>[] = [
    {
      id: 'name',
      head: words.columns.name,
      cell: ({ name, current }) => (
        <>
          <FreeText text={name} />
          {current ? <span className="font-normal text-soft"> · {words.current}</span> : null}
        </>
      ),
    },
    {
      id: 'by',
      head: words.columns.by,
      cell: ({ created_by }) => <FreeText text={created_by} className="font-mono text-xs" />,
    },
    { id: 'created', head: words.columns.created, cell: ({ created_at }) => <Ago at={created_at} /> },
    {
      id: 'used',
      head: words.columns.used,
      cell: ({ last_used_at }) => (last_used_at === null ? commonWords.never : <Ago at={last_used_at} />),
    },
    { id: 'expires', head: words.columns.expires, cell: ({ expires_at }) => <Ago at={expires_at} /> },
    {
      id: 'actions',
      head: words.actions,
      hideHead: true,
      atEnd: true,
      // This browser's session ends by "Sign out", which forgets it here too.
      cell: (session) =>
        session.current ? null : (
          <Button kind="danger" onClick={() => onEnd(session)}>
            {words.end}
          </Button>
        ),
    },
  ];
  return (
    <div className="px-(--page) pb-4">
      <DataTable
        label={words.table}
        columns={columns}
        rows={sessions}
        rowKey={({ session_id }) => session_id}
        grid="md:grid-cols-[minmax(8rem,2fr)_minmax(6rem,2fr)_auto_auto_auto_minmax(4rem,auto)]"
      />
    </div>
  );
}
