// Why a worker has free slots: its own state, or what the tasks that are next in line lack in it.
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, dataOf } from '../../api/api.ts';
import type { AnswerOf } from '../../api/answer-of.ts';
import type { Worker } from '../../data/fleet/fleet.ts';
import { taskListQuery } from '../../data/tasks/task-lists.ts';
import type { Task } from '../../data/tasks/tasks.ts';
import { workerStateOf } from '../../data/fleet/worker-state.ts';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Section } from '../../parts/section.tsx';
import { FactTable, type FactColumn } from '../../parts/fact-table.tsx';
import { useLack } from '../../session/use-me.ts';
import { fleetWords as words } from '../../words/service/en-fleet.ts';
import { taskWords } from '../../words/tasks/en-task.ts';
import { taskPageWords } from '../../words/tasks/en-task-page.ts';
import { becauseText } from '../task/head/why-waiting.tsx';

type Why = AnswerOf<'tasks.why'>;

const lookedAt = 5;
const readMs = 10_000;

export function WhyIdle({ worker }: { readonly worker: Worker }): ReactNode {
  const mayRead = useLack('tasks:read') === undefined;
  const state = workerStateOf(worker);
  return (
    <Section title={words.idle}>
      {state === 'active' ? (
        <>
          <p>{words.idleSlots(worker.slots - worker.running)}</p>
          {mayRead ? <NextInLine worker={worker} /> : null}
        </>
      ) : (
        <p>{stateReasons[state]}</p>
      )}
    </Section>
  );
}

const stateReasons = {
  offline: words.idleOffline,
  drained: words.idleDrained,
  unregistered: words.idleUnregistered,
} as const;

interface Row {
  readonly task: Task;
  readonly because: string;
}

/** The service itself is asked, for each of the first tasks, by the rule that gives out tasks. */
function NextInLine({ worker }: { readonly worker: Worker }): ReactNode {
  const next = useQuery(taskListQuery({ status: 'pending', sort: 'priority', limit: lookedAt }));
  const answers = useQueries({
    queries: (next.data ?? []).map(({ id }) => ({
      queryKey: ['task', id, 'why'],
      queryFn: async () => dataOf(api().GET('/v1/agent/tasks/{id}/why', { params: { path: { id } } })),
      refetchInterval: readMs,
    })),
  });
  if (next.data === undefined) return null;
  if (next.data.length === 0) return <p className="text-soft">{words.idleNothing}</p>;
  const rows = next.data.flatMap((task, index): readonly Row[] => {
    const why = answers[index]?.data;
    return why === undefined ? [] : [{ task, because: textOf(why, worker.worker_id) }];
  });
  return (
    <>
      <p className="mb-1 text-soft">{words.idleFirst}</p>
      <FactTable label={words.idleTable} columns={columns} rows={rows} keyOf={({ task }) => task.id} />
    </>
  );
}

const columns: readonly FactColumn<Row>[] = [
  {
    id: 'task',
    label: words.idleColumns.task,
    cell: ({ task }) => (
      <Link
        to="/v1/monitor/tasks/$id"
        params={{ id: task.id }}
        data-row
        className="inline-flex min-h-6 items-center rounded-sm hover:underline pointer-coarse:min-h-11"
      >
        <FreeText text={task.title === '' ? taskWords.untitled : task.title} />
      </Link>
    ),
  },
  { id: 'because', label: words.idleColumns.because, cell: ({ because }) => because },
];

function textOf({ workers }: Why, workerId: string): string {
  const answer = workers.find(({ worker_id }) => worker_id === workerId);
  if (answer === undefined) return words.idleUnknown;
  return answer.can ? taskPageWords.canTake : becauseText(answer);
}
