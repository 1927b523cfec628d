// Says that a part of the task's page is that of one attempt, and leads to all of them.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Task } from '../../../data/tasks/tasks.ts';
import { taskPageWords as words } from '../../../words/tasks/en-task-page.ts';
import type { TaskPart } from '../task-search.ts';

interface AttemptNoteProps {
  readonly task: Task;
  readonly place: number;
  readonly part: TaskPart & ('output' | 'changes');
}

export function AttemptNote({ task, place, part }: AttemptNoteProps): ReactNode {
  return (
    <p className="border-b border-line px-(--page) py-2 text-sm">
      {words.ofAttempt[part](place)}{' '}
      <Link to="/v1/monitor/tasks/$id/$part" params={{ id: task.id, part }} search={{}} className="underline">
        {words.notOfAttempt[part]}
      </Link>
    </p>
  );
}
