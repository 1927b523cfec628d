// The page of a PRD chat: the chat left, the current PRD right.
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { chatQuery, type PrdChat } from '../../data/runs/prd-chats.ts';
import { shortId, useCodebaseName } from '../../data/fleet/fleet.ts';
import { NotFound } from '../../frame/not-found.tsx';
import { Page } from '../../frame/page.tsx';
import { buttonClass } from '../../parts/controls/button.tsx';
import { CopyMenu } from '../../parts/controls/copy-menu.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Waiting } from '../../parts/states/waiting.tsx';
import { NoRead } from '../../parts/states/no-read.tsx';
import { useLack } from '../../session/use-me.ts';
import { prdWords as words } from '../../words/runs/en-prd.ts';
import { ChatColumn } from './chat-column.tsx';
import { PrdColumn } from './prd-column.tsx';
import { StartRun } from './start-run.tsx';

export function PrdPage(): ReactNode {
  const { id } = useParams({ from: '/dashboard/ralph/prd/$id' });
  const lack = useLack('ralph:read');
  const query = useQuery({ ...chatQuery(id), enabled: lack === undefined });
  if (lack !== undefined) return <NoRead title={words.title} permission="ralph:read" />;
  if (query.error instanceof ApiError && [400, 404].includes(query.error.status)) return <NotFound id={id} />;
  if (query.data !== undefined) return <LoadedChat chat={query.data} />;
  return (
    <Page title={words.title} focusKey={id}>
      <Waiting query={query} />
    </Page>
  );
}

function LoadedChat({ chat }: { readonly chat: PrdChat }): ReactNode {
  return (
    <Page
      title={chat.title === '' ? words.title : chat.title}
      focusKey={chat.id}
      actions={
        <>
          <Link to="/dashboard/ralph" className={buttonClass('quiet')}>
            {words.backToRuns}
          </Link>
          <StartRun chat={chat} />
          <CopyMenu
            link={`/dashboard/ralph/prd/${chat.id}`}
            id={chat.id}
            call={{ method: 'GET', path: `/v1/ralph/prd/sessions/${chat.id}` }}
            command={`switchyard prd show ${chat.id}`}
            json={chat}
          />
        </>
      }
      below={<ChatFacts chat={chat} />}
    >
      <div className="lg:grid lg:grid-cols-2">
        <ChatColumn chat={chat} />
        <PrdColumn key={chat.version} chat={chat} />
      </div>
    </Page>
  );
}

function ChatFacts({ chat }: { readonly chat: PrdChat }): ReactNode {
  const codebaseName = useCodebaseName();
  return (
    <p className="flex flex-wrap gap-x-4 pb-3 text-sm text-soft">
      {chat.codebase_id === null ? null : (
        <span>
          {words.codebase} <FreeText text={codebaseName(chat.codebase_id)} />
        </span>
      )}
      {chat.run_ids.length === 0 ? null : (
        <span>
          {words.runs}{' '}
          {chat.run_ids.map((run) => (
            <Link key={run} to="/dashboard/ralph/$id" params={{ id: run }} className="me-2 text-accent underline">
              {shortId(run)}
            </Link>
          ))}
        </span>
      )}
    </p>
  );
}
