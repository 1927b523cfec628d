// Copies the task as link, id, call, command or JSON.
import type { ReactNode } from 'react';
import type { Task } from '../../../data/tasks/tasks.ts';
import { CopyMenu } from '../../../parts/controls/copy-menu.tsx';
import { taskCopies } from '../../../parts/task/task-copies.ts';

export function TaskCopyMenu({ task }: { readonly task: Task }): ReactNode {
  return <CopyMenu {...taskCopies(task)} />;
}
