// The texts of the Copy menu of a task.
import type { Task } from '../../data/tasks/tasks.ts';
import { taskPageWords as words } from '../../words/tasks/en-task-page.ts';
import type { Copies } from '../controls/copy-menu.tsx';

export function taskCopies(task: Task): Copies {
  return {
    link: `/v1/monitor/tasks/${task.id}`,
    id: task.id,
    call: { method: 'GET', path: `/v1/agent/tasks/${task.id}` },
    command: `switchyard task show ${task.id}`,
    json: task,
    more:
      task.changes === null
        ? []
        : [{ id: 'copy-branch', label: words.copyBranch, text: `git merge switchyard/${task.id}` }],
  };
}
