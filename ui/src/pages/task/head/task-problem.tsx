// Why a task failed: its code, what the code means, what to do, and the last lines of its output.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { lastLines, outputEndQuery } from '../../../data/tasks/last-lines.ts';
import { taskProblems } from '../../../data/tasks/task-problems.ts';
import type { Task } from '../../../data/tasks/tasks.ts';
import { LineBlock } from '../../../parts/task/line-block.tsx';
import { cleanText } from '../../../text/clean.ts';
import { taskPageWords as words } from '../../../words/tasks/en-task-page.ts';

const shownLines = 20;

interface TaskProblemProps {
  readonly task: Task;
  readonly error: NonNullable<Task['error']>;
  /** The output itself is on the page, at its end. */
  readonly hasOutput: boolean;
}

export function TaskProblem({ task, error, hasOutput }: TaskProblemProps): ReactNode {
  const known = taskProblems[error.code];
  return (
    <div className="mt-2 grid max-w-[90ch] gap-1 border-s-4 border-bad bg-paper px-3 py-2">
      <h2 className="text-sm font-semibold text-bad">{words.errorTitle(error.code)}</h2>
      <p dir="auto" className="line-clamp-[12] whitespace-pre-wrap">
        {cleanText(error.message)}
      </p>
      {known === undefined ? null : <p className="text-sm text-soft">{known}</p>}
      {hasOutput ? null : <LastLines id={task.id} />}
    </div>
  );
}

function LastLines({ id }: { readonly id: string }): ReactNode {
  const { data } = useQuery(outputEndQuery(id));
  const lines = lastLines(data ?? '', shownLines);
  if (lines === '') return null;
  return (
    <details open className="mt-1">
      <summary className="min-h-6 cursor-pointer text-sm text-soft">{words.lastOutput}</summary>
      <LineBlock label={words.lastOutput} text={lines} />
    </details>
  );
}
