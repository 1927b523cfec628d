// Copies the task as link, id, call, command or JSON.
import type { ReactNode } from 'react';
import type { Task } from '../../data/tasks.ts';
import { CopyMenu } from '../../parts/controls/copy-menu.tsx';

export function TaskCopyMenu({ task }: { readonly task: Task }): ReactNode {
  return (
    <CopyMenu
      link={`/v1/monitor/tasks/${task.id}`}
      id={task.id}
      call={{ method: 'GET', path: `/v1/agent/tasks/${task.id}` }}
      command={`switchyard task show ${task.id}`}
      json={task}
    />
  );
}
