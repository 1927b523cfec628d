// What the Copy menu of a task copies.
import type { Task } from '../../data/tasks.ts';
import type { Copies } from '../controls/copy-menu.tsx';

export function taskCopies(task: Task): Copies {
  return {
    link: `/v1/monitor/tasks/${task.id}`,
    id: task.id,
    call: { method: 'GET', path: `/v1/agent/tasks/${task.id}` },
    command: `switchyard task show ${task.id}`,
    json: task,
  };
}
