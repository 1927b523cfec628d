// One task of the overview in one line; on a phone its facts stand below the title.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWorkerName } from '../../data/fleet/fleet.ts';
import type { Task } from '../../data/tasks/tasks.ts';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { TaskMark } from '../../parts/task/task-state.tsx';
import { cleanOutput, plainOf } from '../../text/clean.ts';
import { taskWords } from '../../words/tasks/en-task.ts';

export interface TaskLineProps {
  readonly task: Task;
  /** Place among all lines of the page, for the keys. */
  readonly index: number;
  readonly isCurrent: boolean;
  readonly onFocus: (index: number) => void;
  /** Facts about the task. */
  readonly facts: ReactNode;
  readonly time: ReactNode;
  readonly actions?: ReactNode;
}

export function TaskLine({ task, index, isCurrent, onFocus, facts, time, actions }: TaskLineProps): ReactNode {
  const workerName = useWorkerName();
  const worker = task.worker_id === null ? '' : workerName(task.worker_id);
  const place = [task.agent_type ?? task.target_agent ?? '', worker].filter(Boolean).join(' @ ');
  return (
    <li
      data-line
      className={`grid min-h-(--row) grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 border-b border-line px-(--page) py-1 lg:grid-cols-[auto_minmax(0,280px)_minmax(0,170px)_minmax(0,1fr)_auto_auto] ${isCurrent ? 'bg-sunk' : ''}`}
    >
      <TaskMark task={task} hideWord />
      <Link
        to="/v1/monitor/tasks/$id"
        params={{ id: task.id }}
        data-row={index}
        onFocus={() => onFocus(index)}
        className="flex min-h-(--control) min-w-0 items-center rounded-sm hover:underline"
      >
        <span className="truncate">
          <FreeText text={task.title === '' ? taskWords.untitled : task.title} />
        </span>
      </Link>
      <span className="order-none text-sm text-soft lg:order-5">{time}</span>
      <span className="col-start-2 truncate text-sm text-soft max-lg:col-end-4 lg:col-start-auto">
        <FreeText text={place} />
      </span>
      <span className="col-start-2 min-w-0 truncate text-sm max-lg:col-end-4 lg:col-start-auto">{facts}</span>
      {actions === undefined ? null : (
        <span className="col-start-2 flex flex-wrap gap-2 pt-1 max-lg:col-end-4 lg:order-6 lg:col-start-auto lg:pt-0">
          {actions}
        </span>
      )}
    </li>
  );
}

/** The last line that an agent printed, without colours. */
export function LastOutputLine({ task, none }: { readonly task: Task; readonly none: string }): ReactNode {
  const line = plainOf(cleanOutput(task.last_output?.text ?? ''))
    .trimEnd()
    .split('\n')
    .at(-1);
  return (
    <span className="font-mono text-mono text-soft">
      <FreeText text={line === undefined || line === '' ? none : line} />
    </span>
  );
}
