// A short list of tasks: state, title, and when.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isEnded, type Task } from '../../data/tasks/tasks.ts';
import { taskWords } from '../../words/tasks/en-task.ts';
import { taskListWords } from '../../words/tasks/en-tasks.ts';
import { FreeText } from '../marks/free-text.tsx';
import { Age, Ago } from '../marks/time.tsx';
import { FactTable, type FactColumn } from '../fact-table.tsx';
import { TaskMark } from './task-state.tsx';

const { columns: names } = taskListWords;

const columns: readonly FactColumn<Task>[] = [
  {
    id: 'title',
    label: names.title,
    cell: ({ id, title }) => (
      <Link
        to="/v1/monitor/tasks/$id"
        params={{ id }}
        data-row
        className="inline-flex min-h-6 items-center rounded-sm hover:underline pointer-coarse:min-h-11"
      >
        <FreeText text={title === '' ? taskWords.untitled : title} />
      </Link>
    ),
  },
  { id: 'state', label: names.state, cell: (task) => <TaskMark task={task} /> },
  { id: 'attempt', label: names.attempt, from: 'md', cell: ({ attempt }) => (attempt > 0 ? attempt : '') },
  {
    id: 'by',
    label: names.by,
    from: 'lg',
    cell: ({ created_by }) => <FreeText text={created_by} className="text-soft" />,
  },
  {
    id: 'age',
    label: names.age,
    cell: (task) => (
      <span className="text-sm text-soft">
        {isEnded(task) && task.started_at !== null ? (
          <Age since={task.started_at} until={task.completed_at} />
        ) : (
          <Ago at={task.created_at} />
        )}
      </span>
    ),
    atEnd: true,
  },
];

/** @param label name of the table */
export function TaskTable({ tasks, label }: { readonly tasks: readonly Task[]; readonly label: string }): ReactNode {
  return <FactTable label={label} columns={columns} rows={tasks} keyOf={({ id }) => id} />;
}
