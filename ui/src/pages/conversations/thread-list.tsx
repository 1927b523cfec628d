// The list of conversations, the one with the latest word first.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schemas } from '../../../../src/client/client.ts';
import { threadsQuery } from '../../data/conversations.ts';
import { Button } from '../../parts/controls/button.tsx';
import { CodeLine } from '../../parts/controls/code-line.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Ago } from '../../parts/marks/time.tsx';
import { Empty } from '../../parts/states/empty.tsx';
import { Waiting } from '../../parts/states/waiting.tsx';
import { commonWords } from '../../words/en-common.ts';
import { conversationWords as words } from '../../words/en-conversations.ts';

type Thread = Schemas['Thread'];

const shownCharacters = 200;

/** @param current the conversation that is open beside the list */
export function ThreadList({ current }: { readonly current: string | undefined }): ReactNode {
  const query = useInfiniteQuery(threadsQuery());
  if (query.data === undefined) {
    return <Waiting query={query} />;
  }
  const threads = query.data.pages.flatMap((page) => page.threads);
  if (threads.length === 0) {
    return (
      <Empty text={words.empty}>
        <CodeLine text={words.emptyCommand} copyLabel={commonWords.copy} copiedLabel={commonWords.copied} />
      </Empty>
    );
  }
  return (
    <nav aria-label={words.list}>
      <ul>
        {threads.map((thread) => (
          <li key={thread.id} className="border-b border-line">
            <ThreadRow thread={thread} isCurrent={thread.id === current} />
          </li>
        ))}
      </ul>
      {query.hasNextPage ? (
        <div className="p-(--page)">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {words.older}
          </Button>
        </div>
      ) : null}
    </nav>
  );
}

function ThreadRow({ thread, isCurrent }: { readonly thread: Thread; readonly isCurrent: boolean }): ReactNode {
  const { id, title, participants, last_message: last, open_tasks } = thread;
  return (
    <Link
      to="/v1/monitor/conversations/$id"
      params={{ id }}
      search={{}}
      data-row
      aria-current={isCurrent ? 'page' : undefined}
      className="block px-(--page) py-2 -outline-offset-2 hover:bg-sunk aria-[current=page]:bg-sunk"
    >
      <span className="flex items-baseline gap-3">
        <span className="min-w-0 flex-1 truncate font-semibold">
          <FreeText text={title === '' ? words.untitled : title} />
        </span>
        <span className="text-sm text-soft">
          <Ago at={last.at} />
        </span>
      </span>
      <span className="line-clamp-2 text-sm">
        <FreeText text={oneLine(last.text)} />
      </span>
      <span className="flex flex-wrap gap-x-3 text-xs text-soft">
        <FreeText text={participants.join(', ')} className="min-w-0 truncate" />
        {open_tasks === 0 ? null : <span className="font-semibold text-running">{words.open(open_tasks)}</span>}
      </span>
    </Link>
  );
}

/** The beginning of a message as one line. */
export function oneLine(text: string): string {
  return text.slice(0, shownCharacters).replaceAll(/\s+/g, ' ');
}
