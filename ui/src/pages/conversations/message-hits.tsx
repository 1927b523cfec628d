// The messages that hold the words that are searched for: each leads to its place in its conversation.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { messagesQuery, type Message } from '../../data/conversations.ts';
import { Button, buttonClass } from '../../parts/controls/button.tsx';
import { Ago } from '../../parts/marks/time.tsx';
import { Section } from '../../parts/section.tsx';
import { Waiting } from '../../parts/states/waiting.tsx';
import { cleanTitle } from '../../text/clean.ts';
import { foundRuns } from '../../text/output/found-runs.ts';
import { conversationWords as words } from '../../words/en-conversations.ts';
import { speakerOf } from './speaker.ts';

const around = 120;

export function MessageHits({ q }: { readonly q: string }): ReactNode {
  const query = useInfiniteQuery(messagesQuery({ q }));
  if (query.data === undefined) {
    return <Waiting query={query} />;
  }
  const messages = query.data.pages.flatMap((page) => page.messages);
  return (
    <Section
      title={words.hitsOf(cleanTitle(q))}
      aside={
        <Link to="/v1/monitor/conversations" search={{}} className={buttonClass('quiet')}>
          {words.clear}
        </Link>
      }
    >
      {messages.length === 0 && !query.hasNextPage ? <p className="text-soft">{words.noHits}</p> : null}
      <ul aria-label={words.hits}>
        {messages.map((message) => (
          <li key={message.id} className="border-b border-line">
            <Hit message={message} q={q} />
          </li>
        ))}
      </ul>
      {query.hasNextPage ? (
        <Button className="mt-3" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {words.older}
        </Button>
      ) : null}
    </Section>
  );
}

function Hit({ message, q }: { readonly message: Message; readonly q: string }): ReactNode {
  const runs = foundRuns([{ text: contextOf(message.text, q), className: '' }], q);
  return (
    <Link
      to="/v1/monitor/conversations/$id"
      params={{ id: message.conversation_id }}
      search={{ message: message.id }}
      data-row
      className="block py-2 -outline-offset-2 hover:bg-sunk"
    >
      <span className="flex gap-3 text-sm text-soft">
        <bdi dir="auto">{speakerOf(message)}</bdi>
        <Ago at={message.at} />
      </span>
      <bdi dir="auto" className="block">
        {runs.map(({ text, isFound }, index) =>
          isFound ? (
            <mark key={index} className="bg-ask-ground font-semibold text-ask">
              {text}
            </mark>
          ) : (
            text
          ),
        )}
      </bdi>
    </Link>
  );
}

/** The text around the first place, on one line. */
function contextOf(text: string, q: string): string {
  const place = Math.max(0, text.toLowerCase().indexOf(q.toLowerCase()));
  const from = Math.max(0, place - around);
  const to = Math.min(text.length, place + q.length + around);
  const cut = text.slice(from, to).replaceAll(/\s+/g, ' ');
  return cleanTitle(`${from > 0 ? '…' : ''}${cut}${to < text.length ? '…' : ''}`);
}
