// Questions: what waits for a person. The list at the left, one of it at the right; on narrow windows a page each.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { itemsOf, useAttention } from '../../data/attention.ts';
import { taskQuery, type Task } from '../../data/tasks/tasks.ts';
import { NotFound } from '../../frame/not-found.tsx';
import { Page } from '../../frame/page.tsx';
import { useActions, type Action } from '../../keys/actions.ts';
import { isQuestion, type AttentionItem } from '../../live/attention-count.ts';
import { CopyMenu } from '../../parts/controls/copy-menu.tsx';
import { CodeLine } from '../../parts/controls/code-line.tsx';
import { Empty } from '../../parts/states/empty.tsx';
import { Loading } from '../../parts/states/loading.tsx';
import { NoRead } from '../../parts/states/no-read.tsx';
import { notify } from '../../parts/states/notices.tsx';
import { taskCopies } from '../../parts/task/task-copies.ts';
import { useMe } from '../../session/use-me.ts';
import { commonWords } from '../../words/en-common.ts';
import { questionWords as words } from '../../words/en-questions.ts';
import { NotifyButton } from './notify-button.tsx';
import { itemName, QuestionList } from './question-list.tsx';
import { RunQuestionView } from './run-question.tsx';
import { TaskQuestion } from './task-question.tsx';
import { AttentionItemView } from './attention-item.tsx';

export function QuestionsPage(): ReactNode {
  const me = useMe();
  const mayRead = me?.permissions.includes('monitor:read') === true;
  if (me !== undefined && !mayRead) return <NoRead title={words.title} permission="monitor:read" />;
  return <Questions mayRead={mayRead} />;
}

function Questions({ mayRead }: { readonly mayRead: boolean }): ReactNode {
  const { id } = useParams({ strict: false });
  const asking = useAttention('asking', mayRead);
  const wrong = useAttention('wrong', mayRead);
  // Those that ask stand first.
  const items = useMemo(() => [...itemsOf(asking.data), ...itemsOf(wrong.data)], [asking.data, wrong.data]);
  const isRead = asking.isSuccess && wrong.isSuccess;
  const shown = useShownItem(items, id);
  const next = useNext(items, id ?? shown?.id);
  useItemKeys(items, id ?? shown?.id);
  // A task that does not wait any more is shown too: what became of it.
  const task = useQuery({
    ...taskQuery(id ?? ''),
    enabled: id !== undefined && shown === undefined && isRead,
  });
  const isMissing = task.error instanceof ApiError && [400, 404].includes(task.error.status);
  if (isMissing && shown === undefined) return <NotFound id={id} />;
  const title = id === undefined ? words.title : shown === undefined ? task.data?.title : itemName(shown);
  const current = id ?? shown?.id;
  return (
    <Page
      title={title ?? words.title}
      actions={
        <>
          <NotifyButton />
          <QuestionCopies item={shown} task={task.data} />
        </>
      }
    >
      <div className="lg:grid lg:grid-cols-[340px_minmax(0,1fr)]">
        <nav
          aria-label={words.listLabel}
          className={`min-w-0 lg:sticky lg:top-12 lg:block lg:max-h-[calc(100dvh-3rem)] lg:self-start lg:overflow-y-auto lg:border-e lg:border-line ${id === undefined ? '' : 'hidden'}`}
        >
          {isRead && items.length === 0 ? <NothingWaits /> : null}
          <QuestionList group="asking" query={asking} current={current} />
          <QuestionList group="wrong" query={wrong} current={current} />
        </nav>
        <div className={`min-w-0 p-(--page) ${id === undefined ? 'hidden lg:block' : ''}`}>
          {id === undefined ? null : (
            <Link
              to="/v1/monitor/questions"
              className="mb-2 flex min-h-(--control) items-center text-accent underline lg:hidden"
            >
              {words.toList}
            </Link>
          )}
          {id !== undefined && !isRead && shown === undefined ? (
            <Loading rows={8} />
          ) : (
            <Shown key={current} item={shown} id={id} onNext={next} />
          )}
        </div>
      </div>
    </Page>
  );
}

/** The thing that waits; a task that was answered is the task alone. */
function QuestionCopies({
  item,
  task,
}: {
  readonly item: AttentionItem | undefined;
  readonly task: Task | undefined;
}): ReactNode {
  if (item === undefined) return task === undefined ? null : <CopyMenu {...taskCopies(task)} />;
  const { id, about } = item;
  const of = about?.kind === 'run' ? `/v1/ralph/runs/${about.id}` : `/v1/agent/tasks/${about?.id ?? id}`;
  const command =
    about?.kind === 'run' ? `switchyard ralph show ${about.id}` : `switchyard task show ${about?.id ?? id}`;
  const isWorker = item.kind === 'worker_gone';
  return (
    <CopyMenu
      link={`/v1/monitor/questions/${encodeURIComponent(id)}`}
      id={id}
      call={{ method: 'GET', path: isWorker ? `/v1/agent/workers/${id}` : of }}
      command={isWorker ? undefined : command}
      json={item}
    />
  );
}

function NothingWaits(): ReactNode {
  return (
    <Empty text={words.empty}>
      <CodeLine text={words.emptyCommand} copyLabel={commonWords.copy} copiedLabel={commonWords.copied} />
    </Empty>
  );
}

interface ShownProps {
  readonly item: AttentionItem | undefined;
  readonly id: string | undefined;
  readonly onNext: () => void;
}

function Shown({ item, id, onNext }: ShownProps): ReactNode {
  const about = item?.about ?? null;
  if (item === undefined) return id === undefined ? null : <TaskQuestion id={id} onNext={onNext} />;
  if (item.kind === 'task_question') return <TaskQuestion id={item.id} onNext={onNext} />;
  if (item.kind === 'run_question' && about !== null) {
    return <RunQuestionView id={item.id} runId={about.id} onNext={onNext} />;
  }
  return <AttentionItemView item={item} onNext={onNext} />;
}

/**
 * The item of the address; without one the first that was there, and it stays although newer ones come. An item that was seen
 * stays known when it is gone from the list, so that the page can say what became of it.
 */
function useShownItem(items: readonly AttentionItem[], id: string | undefined): AttentionItem | undefined {
  const [known, setKnown] = useState<ReadonlyMap<string, AttentionItem>>(new Map());
  if (items.some((item) => known.get(item.id) !== item)) {
    setKnown(new Map([...known, ...items.map((item) => [item.id, item] as const)]));
  }
  const [first, setFirst] = useState<string>();
  const wanted = id ?? first ?? items[0]?.id;
  if (id === undefined && first === undefined && wanted !== undefined) setFirst(wanted);
  return wanted === undefined ? undefined : known.get(wanted);
}

/** Opens the question after this one in the list, from its top again at the end. */
function useNext(items: readonly AttentionItem[], current: string | undefined): () => void {
  const navigate = useNavigate();
  return () => {
    const asking = items.filter(isQuestion);
    const place = asking.findIndex(({ id }) => id === current);
    const [next] = [...asking.slice(place + 1), ...asking.slice(0, Math.max(place, 0))];
    if (next === undefined) notify(words.noneLeft);
    else void navigate({ to: '/v1/monitor/questions/$id', params: { id: next.id } });
  };
}

function useItemKeys(items: readonly AttentionItem[], current: string | undefined): void {
  const navigate = useNavigate();
  useActions(
    useMemo((): readonly Action[] => {
      const place = items.findIndex((item) => item.id === current);
      const open = (index: number): void => {
        const item = items[Math.max(0, Math.min(items.length - 1, index))];
        if (item !== undefined) void navigate({ to: '/v1/monitor/questions/$id', params: { id: item.id } });
      };
      return [
        { id: 'next-item', label: words.nextItem, keys: 'j', group: 'page', run: () => open(place + 1) },
        { id: 'previous-item', label: words.previousItem, keys: 'k', group: 'page', run: () => open(place - 1) },
      ];
    }, [items, current, navigate]),
  );
}
