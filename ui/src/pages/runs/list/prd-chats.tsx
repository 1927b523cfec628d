// The PRD chats under the list of runs, and a button that begins one.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { chatsQuery } from '../../../data/runs/prd-chats.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { FreeText } from '../../../parts/marks/free-text.tsx';
import { Ago } from '../../../parts/marks/time.tsx';
import { Answer } from '../../../parts/states/answer.tsx';
import { useLack } from '../../../session/use-me.ts';
import { runWords as words } from '../../../words/runs/en-runs.ts';
import { NewChatDialog } from './new-chat-dialog.tsx';

export function PrdChats(): ReactNode {
  const lack = useLack('ralph:write');
  const query = useQuery(chatsQuery());
  const [isOpen, setOpen] = useState(false);
  return (
    <section aria-labelledby="prd-chats" className="mt-8 border-t border-line">
      <div className="flex flex-wrap items-center gap-3 px-(--page) py-3">
        <h2 id="prd-chats" className="font-semibold">
          {words.chats}
        </h2>
        <Button disabledReason={lack} onClick={() => setOpen(true)} className="ms-auto">
          {words.newChat}
        </Button>
      </div>
      <Answer query={query} rows={2}>
        {(sessions) =>
          sessions.length === 0 ? (
            <p className="max-w-[72ch] px-(--page) pb-6 text-soft">{words.noChats}</p>
          ) : (
            <ul className="border-t border-line">
              {sessions.map((session) => (
                <li
                  key={session.id}
                  className="flex min-h-(--row) flex-wrap items-center gap-x-3 border-b border-line px-(--page) py-1 hover:bg-sunk"
                >
                  <Link
                    to="/dashboard/ralph/prd/$id"
                    params={{ id: session.id }}
                    className="flex min-h-(--control) min-w-0 flex-1 items-center truncate hover:underline md:min-h-6"
                  >
                    <FreeText text={session.title === '' ? words.chatUntitled : session.title} />
                  </Link>
                  <span className={`text-sm ${session.ready ? 'font-semibold text-ok' : 'text-soft'}`}>
                    {session.ready ? words.chatReady : words.chatDraft}
                  </span>
                  <span className="text-sm text-soft">{words.chatMessages(session.messages)}</span>
                  <span className="text-sm text-soft">{words.chatRuns(session.run_ids.length)}</span>
                  <span className="text-sm text-soft">
                    <Ago at={session.updated_at} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
      {isOpen ? <NewChatDialog onClose={() => setOpen(false)} /> : null}
    </section>
  );
}
