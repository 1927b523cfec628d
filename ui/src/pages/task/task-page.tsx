// The page of one task: header with its actions, parts as tabs, facts and its life at the side.
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, type ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { placeInList } from '../../data/tasks/opened-list.ts';
import { taskQuery, type Task } from '../../data/tasks/tasks.ts';
import { NotFound } from '../../frame/not-found.tsx';
import { Page } from '../../frame/page.tsx';
import { useActions, type Action } from '../../keys/actions.ts';
import { Button } from '../../parts/controls/button.tsx';
import { Tabs } from '../../parts/controls/tabs.tsx';
import { Loading } from '../../parts/states/loading.tsx';
import { Waiting } from '../../parts/states/waiting.tsx';
import { TaskMark } from '../../parts/task/task-state.tsx';
import { useTaskActions } from '../../parts/task/use-task-actions.ts';
import { taskWords } from '../../words/tasks/en-task.ts';
import { taskPageWords as words } from '../../words/tasks/en-task-page.ts';
import { TaskCopyMenu } from './head/task-copy-menu.tsx';
import { TaskHead } from './head/task-head.tsx';
import { TaskRail } from './rail/task-rail.tsx';
import { taskParts, type TaskPart } from './task-search.ts';

const parts: Readonly<Record<TaskPart, (props: { readonly task: Task }) => ReactNode>> = {
  output: lazy(async () => ({ default: (await import('./output/output-part.tsx')).OutputPart })),
  changes: lazy(async () => ({ default: (await import('./changes-part.tsx')).ChangesPart })),
  exchange: lazy(async () => ({ default: (await import('./exchange-part.tsx')).ExchangePart })),
  attempts: lazy(async () => ({ default: (await import('./attempts-part.tsx')).AttemptsPart })),
  deliveries: lazy(async () => ({ default: (await import('./deliveries-part.tsx')).DeliveriesPart })),
  who: lazy(async () => ({ default: (await import('./who-part.tsx')).WhoPart })),
  raw: lazy(async () => ({ default: (await import('./raw-part.tsx')).RawPart })),
} as const;

/** The facts stand beside the part where the window has room for both; patches need more of it. */
const beside = 'lg:grid lg:grid-cols-[minmax(0,1fr)_280px]';
const besideWide = 'min-[1500px]:grid min-[1500px]:grid-cols-[minmax(0,1fr)_280px]';

export function TaskPage(): ReactNode {
  const { id = '', part = 'output' } = useParams({ strict: false });
  const query = useQuery(taskQuery(id));
  const shown = taskParts.find((known) => known === part);
  if (shown === undefined) return <NotFound />;
  if (query.error instanceof ApiError && [400, 404].includes(query.error.status)) return <NotFound id={id} />;
  if (query.data !== undefined) return <LoadedTask task={query.data} part={shown} />;
  return (
    <Page title={taskWords.untitled} focusKey={id}>
      <Waiting query={query} />
    </Page>
  );
}

function LoadedTask({ task, part }: { readonly task: Task; readonly part: TaskPart }): ReactNode {
  const actions = useTaskActions(task);
  usePageKeys(task, part);
  const Part = parts[part];
  const counts: Partial<Record<TaskPart, number>> = {
    ...(task.changes !== null && { changes: task.changes.files }),
    ...(task.attempt > 1 && { attempts: task.attempt }),
  };
  return (
    <Page
      title={task.title === '' ? taskWords.untitled : task.title}
      focusKey={task.id}
      mark={<TaskMark task={task} />}
      actions={
        <>
          {actions.map(({ id, label, kind, keys, disabledReason, run }) => (
            <Button key={id} kind={kind} keys={keys} disabledReason={disabledReason} onClick={run}>
              {label}
            </Button>
          ))}
          <TaskCopyMenu task={task} />
        </>
      }
      below={
        <>
          <TaskHead task={task} part={part} />
          <Tabs
            label={words.partsLabel}
            current={part}
            tabs={taskParts.map((name) => ({
              id: name,
              label: words.parts[name],
              count: counts[name],
              link: { to: '/v1/monitor/tasks/$id/$part', params: { id: task.id, part: name } },
            }))}
          />
        </>
      }
    >
      <div className={part === 'changes' ? besideWide : beside}>
        <section aria-label={words.parts[part]} className="min-w-0">
          <Suspense fallback={<Loading />}>
            <Part task={task} />
          </Suspense>
        </section>
        <TaskRail task={task} />
      </div>
    </Page>
  );
}

/** Keys of the task's actions, and `[` `]` for the parts. */
function usePageKeys(task: Task, part: TaskPart): void {
  const navigate = useNavigate();
  const ofTask = useTaskActions(task);
  const actions = useMemo((): readonly Action[] => {
    const show = (step: number): void => {
      const next = taskParts[taskParts.indexOf(part) + step];
      if (next === undefined) return;
      void navigate({ to: '/v1/monitor/tasks/$id/$part', params: { id: task.id, part: next } });
    };
    const place = placeInList(task.id);
    const neighbour = (id: string | undefined, action: Pick<Action, 'id' | 'label' | 'keys'>): Action[] =>
      id === undefined
        ? []
        : [
            {
              ...action,
              group: 'page',
              run: () => void navigate({ to: '/v1/monitor/tasks/$id/$part', params: { id, part } }),
            },
          ];
    return [
      ...ofTask.map(({ id, label, keys, run, disabledReason }) => ({
        id: `task-${id}`,
        label,
        keys,
        group: 'page' as const,
        run,
        disabledReason,
      })),
      ...neighbour(place?.next, { id: 'next-task', label: words.nextTask, keys: 'j' }),
      ...neighbour(place?.previous, { id: 'previous-task', label: words.previousTask, keys: 'k' }),
      { id: 'previous-part', label: words.previousPart, keys: '[', group: 'page', run: () => show(-1) },
      { id: 'next-part', label: words.nextPart, keys: ']', group: 'page', run: () => show(1) },
    ];
  }, [ofTask, task.id, part, navigate]);
  useActions(actions);
}
