// One conversation: the messages of all its tasks, each task a divider with its state, and the box that continues it.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { conversationTasksQuery, messagesQuery, type Message } from '../../data/conversations.ts';
import type { Task } from '../../data/tasks/tasks.ts';
import { NotFound } from '../../frame/not-found.tsx';
import { Page } from '../../frame/page.tsx';
import { Button, buttonClass } from '../../parts/controls/button.tsx';
import { CopyMenu } from '../../parts/controls/copy-menu.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { ExchangeBlock } from '../../parts/task/exchange-block.tsx';
import { TaskMark } from '../../parts/task/task-state.tsx';
import { useLack } from '../../session/use-me.ts';
import { conversationWords as words } from '../../words/en-conversations.ts';
import { ContinueBox } from './continue-box.tsx';
import { speakerOf } from './speaker.ts';
import { ThreadList } from './thread-list.tsx';

export function Conversation({ id }: { readonly id: string }): ReactNode {
  const mayReadTasks = useLack('tasks:read') === undefined;
  const tasks = useQuery({ ...conversationTasksQuery(id), enabled: mayReadTasks });
  const { message: wanted } = useSearch({ from: '/v1/monitor/conversations/$id' });
  const messages = useInfiniteQuery(messagesQuery({ conversation_id: id }));
  const said = messages.data?.pages.flatMap((page) => page.messages) ?? [];
  useLoadUntil(wanted, said, messages);
  const isMissing = tasks.data?.length === 0 && messages.isSuccess && said.length === 0;
  if (isMissing) return <NotFound id={id} />;
  const first = tasks.data?.at(-1);
  return (
    <Page
      title={first === undefined || first.title === '' ? words.one : first.title}
      focusKey={id}
      actions={
        <CopyMenu
          link={`/v1/monitor/conversations/${encodeURIComponent(id)}`}
          id={id}
          call={{ method: 'GET', path: '/v1/monitor/messages', query: { conversation_id: id } }}
          json={said}
        />
      }
      below={
        <p className="pb-2 lg:hidden">
          <Link to="/v1/monitor/conversations" search={{}} className={buttonClass('quiet')}>
            {words.back}
          </Link>
        </p>
      }
    >
      <div className="lg:grid lg:grid-cols-[320px_minmax(0,1fr)]">
        <div className="hidden lg:block lg:border-e lg:border-line">
          <ThreadList current={id} />
        </div>
        <div className="min-w-0 max-w-[90ch] p-(--page)">
          {messages.hasNextPage ? (
            <Button className="mb-4" busy={messages.isFetchingNextPage} onClick={() => void messages.fetchNextPage()}>
              {words.older}
            </Button>
          ) : null}
          <Answer query={messages}>{() => <Exchange messages={said} tasks={tasks.data ?? []} />}</Answer>
          {tasks.data === undefined ? null : <ContinueBox tasks={tasks.data} />}
        </div>
      </div>
    </Page>
  );
}

interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetching: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
}

/** Loads older messages until the one that was jumped to is there. */
function useLoadUntil(wanted: string | undefined, said: readonly Message[], pages: Pages): void {
  const { hasNextPage, isFetching, fetchNextPage } = pages;
  const isThere = wanted === undefined || said.some(({ id }) => id === wanted);
  useEffect(() => {
    if (!isThere && hasNextPage && !isFetching) void fetchNextPage();
  }, [isThere, hasNextPage, isFetching, fetchNextPage]);
}

interface Stretch {
  readonly taskId: string;
  readonly messages: readonly Message[];
}

/** Messages of one task that follow each other, oldest first. @param messages newest first */
function stretchesOf(messages: readonly Message[]): readonly Stretch[] {
  const stretches: { taskId: string; messages: Message[] }[] = [];
  for (const message of messages.toReversed()) {
    const last = stretches.at(-1);
    if (last?.taskId === message.task_id) last.messages.push(message);
    else stretches.push({ taskId: message.task_id, messages: [message] });
  }
  return stretches;
}

function Exchange({
  messages,
  tasks,
}: {
  readonly messages: readonly Message[];
  readonly tasks: readonly Task[];
}): ReactNode {
  if (messages.length === 0) return <p className="text-soft">{words.noMessages}</p>;
  return (
    <div className="grid gap-4">
      {stretchesOf(messages).map(({ taskId, messages: said }) => (
        <section key={said[0]?.id} className="grid gap-4">
          <TaskDivider id={taskId} task={tasks.find((task) => task.id === taskId)} />
          {said.map((message) => (
            <Said key={message.id} message={message} />
          ))}
        </section>
      ))}
    </div>
  );
}

function TaskDivider({ id, task }: { readonly id: string; readonly task: Task | undefined }): ReactNode {
  return (
    <h2 className="flex flex-wrap items-center gap-x-3 border-b border-edge pb-1 text-sm">
      {task === undefined ? null : <TaskMark task={task} />}
      <Link
        to="/v1/monitor/tasks/$id"
        params={{ id }}
        data-row
        className="inline-flex min-h-6 items-center font-semibold hover:underline pointer-coarse:min-h-11"
      >
        <FreeText text={task === undefined || task.title === '' ? words.untitled : task.title} />
      </Link>
    </h2>
  );
}

/** The message that was jumped to is brought into view once, and stays marked. */
function Said({ message }: { readonly message: Message }): ReactNode {
  const { message: wanted } = useSearch({ strict: false });
  const block = useRef<HTMLDivElement>(null);
  const isWanted = wanted === message.id;
  useEffect(() => {
    if (isWanted) block.current?.scrollIntoView({ block: 'center' });
  }, [isWanted]);
  return (
    <div ref={block} aria-current={isWanted ? 'true' : undefined} className="aria-[current=true]:bg-ask-ground">
      <ExchangeBlock name={speakerOf(message)} at={message.at} text={message.text} />
    </div>
  );
}
