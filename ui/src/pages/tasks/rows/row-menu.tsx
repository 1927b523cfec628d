// The actions of a task as a menu in its row.
import { useNavigate } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Task } from '../../../data/tasks/tasks.ts';
import { Menu } from '../../../parts/controls/menu.tsx';
import { copyEntries } from '../../../parts/controls/copy-menu.tsx';
import { taskCopies } from '../../../parts/task/task-copies.ts';
import { useTaskActions } from '../../../parts/task/use-task-actions.ts';
import { taskWords as words } from '../../../words/tasks/en-task.ts';

export function RowMenu({ task }: { readonly task: Task }): ReactNode {
  const navigate = useNavigate();
  const actions = useTaskActions(task);
  return (
    <Menu
      kind="quiet"
      isIcon
      label={words.actionsOf(task.title)}
      entries={[
        {
          id: 'open',
          label: words.open,
          onSelect: () => void navigate({ to: '/v1/monitor/tasks/$id', params: { id: task.id } }),
        },
        ...actions.map(({ id, label, keys, kind, disabledReason, run }) => ({
          id,
          label,
          keys,
          disabledReason,
          danger: kind === 'danger',
          onSelect: run,
        })),
        ...copyEntries(taskCopies(task)),
      ]}
    >
      <Ellipsis size={16} strokeWidth={1.75} aria-hidden />
    </Menu>
  );
}
