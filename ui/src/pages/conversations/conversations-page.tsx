// Conversations: the list beside the one that is open, and a search over all messages. On a phone one after the other.
import { useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '../../frame/page.tsx';
import { useRowKeys } from '../../keys/use-row-keys.ts';
import { NoRead } from '../../parts/states/no-read.tsx';
import { useLack } from '../../session/use-me.ts';
import { conversationWords as words } from '../../words/en-conversations.ts';
import { Conversation } from './conversation.tsx';
import { MessageHits } from './message-hits.tsx';
import { MessageSearch } from './message-search.tsx';
import { ThreadList } from './thread-list.tsx';

const permission = 'monitor:read';

export function ConversationsPage(): ReactNode {
  const { id } = useParams({ strict: false });
  const { q } = useSearch({ strict: false });
  const lack = useLack(permission);
  useRowKeys();
  if (lack !== undefined) return <NoRead title={words.title} permission={permission} />;
  if (id !== undefined) return <Conversation key={id} id={id} />;
  return (
    <Page title={words.title}>
      <div className="px-(--page) py-3">
        <MessageSearch key={q ?? ''} q={q ?? ''} />
      </div>
      {q === undefined ? <ThreadList current={undefined} /> : <MessageHits q={q} />}
    </Page>
  );
}
