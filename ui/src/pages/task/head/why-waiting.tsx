// Why a task waits, worker by worker, and what would help.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, dataOf } from '../../../api/api.ts';
import type { AnswerOf } from '../../../api/answer-of.ts';
import type { Task } from '../../../data/tasks/tasks.ts';
import { CodeLine } from '../../../parts/controls/code-line.tsx';
import { FreeText } from '../../../parts/marks/free-text.tsx';
import { exactTime } from '../../../parts/marks/duration.ts';
import { commonWords } from '../../../words/en-common.ts';
import { taskPageWords as words } from '../../../words/tasks/en-task-page.ts';

type Why = AnswerOf<'tasks.why'>;

const readMs = 10_000;

export function WhyWaiting({ task }: { readonly task: Task }): ReactNode {
  const { data } = useQuery({
    queryKey: ['task', task.id, 'why'],
    queryFn: async () => dataOf(api().GET('/v1/agent/tasks/{id}/why', { params: { path: { id: task.id } } })),
    refetchInterval: readMs,
  });
  return data === undefined ? null : <WhyView why={data} />;
}

/** The answer of `why`, for a task and for the draft of one. */
export function WhyView({ why }: { readonly why: Why }): ReactNode {
  return (
    <div className="mt-2 max-w-[90ch] text-sm">
      <Remedy text={why.remedy} />
      {why.ahead > 0 ? <p className="text-soft">{words.ahead(why.ahead)}</p> : null}
      {why.workers.length === 0 ? null : (
        <details className="mt-1">
          <summary className="min-h-6 cursor-pointer text-soft">{words.why}</summary>
          <ul aria-label={words.whyWorkers} className="mt-1 ms-4 list-disc">
            {why.workers.map((worker) => (
              <li key={worker.worker_id}>
                <FreeText text={worker.name} /> {worker.can ? words.canTake : becauseText(worker)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** The sentence, and its command to copy where it has one between backticks. */
export function Remedy({ text }: { readonly text: string }): ReactNode {
  const command = /`([^`]+)`/.exec(text)?.[1];
  return (
    <>
      <p>
        <FreeText text={text.replaceAll('`', '')} />
      </p>
      {command === undefined ? null : (
        <div className="mt-1">
          <CodeLine text={command} copyLabel={commonWords.copy} copiedLabel={commonWords.copied} />
        </div>
      )}
    </>
  );
}

/** Why a worker cannot take it, after the name of the worker. */
export function becauseText({ because, at }: Why['workers'][number]): string {
  if (because === null) return '';
  const time = at === null ? commonWords.unknown : exactTime(at);
  if (because === 'offline_since') return words.because.offline_since(time);
  return because === 'held_back_until' ? words.because.held_back_until(time) : words.because[because];
}
