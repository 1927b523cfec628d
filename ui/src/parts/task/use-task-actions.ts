// The actions on a task in its state, as the header, the rows and the palette offer them.
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { intervene, retryTask } from '../../data/tasks/task-actions.ts';
import { isEnded, type Task } from '../../data/tasks/tasks.ts';
import { useLack } from '../../session/use-me.ts';
import { taskWords as words } from '../../words/tasks/en-task.ts';
import { notifyError } from '../states/notices.tsx';
import { openTaskDialog } from './opened-task-dialog.ts';

export interface TaskAction {
  readonly id: 'answer' | 'tell' | 'pause' | 'cancel' | 'retry' | 'retry-changed' | 'follow-up';
  readonly label: string;
  readonly keys: string;
  readonly kind: 'plain' | 'primary' | 'danger';
  readonly disabledReason: string | undefined;
  readonly run: () => void;
}

export function useTaskActions(task: Task | undefined): readonly TaskAction[] {
  const navigate = useNavigate();
  const lackWrite = useLack('tasks:write');
  const lackMonitor = useLack('monitor:write');
  return useMemo(() => {
    if (task === undefined) return [];
    const { id } = task;
    const isPaused = task.paused_at !== null;
    const answer: TaskAction = {
      id: 'answer',
      label: words.answer,
      keys: 'a',
      kind: 'primary',
      disabledReason: lackWrite,
      run: () => void navigate({ to: '/v1/monitor/questions/$id', params: { id } }),
    };
    const tell: TaskAction = {
      id: 'tell',
      label: words.tell,
      keys: 'm',
      kind: 'plain',
      disabledReason: lackMonitor,
      run: () => openTaskDialog({ kind: 'tell', task }),
    };
    const pause: TaskAction = {
      id: 'pause',
      label: isPaused ? words.resume : words.pause,
      keys: 'p',
      kind: 'plain',
      disabledReason: lackMonitor,
      run: () => void intervene(id, isPaused ? 'resume' : 'pause').catch(notifyError),
    };
    const cancel: TaskAction = {
      id: 'cancel',
      label: words.cancelTask,
      keys: 'c',
      kind: 'danger',
      disabledReason: lackWrite,
      run: () => openTaskDialog({ kind: 'cancel', task }),
    };
    const retry: TaskAction = {
      id: 'retry',
      label: words.retry,
      keys: 'r',
      kind: 'plain',
      disabledReason: lackWrite,
      run: () =>
        void retryTask(id).then(
          (next) => navigate({ to: '/v1/monitor/tasks/$id', params: { id: next.id } }),
          notifyError,
        ),
    };
    const retryChanged: TaskAction = {
      id: 'retry-changed',
      label: words.retryChanged,
      keys: 'R',
      kind: 'plain',
      disabledReason: lackWrite,
      run: () => void navigate({ to: '/v1/monitor/tasks/new', search: { from: id } }),
    };
    const followUp: TaskAction = {
      id: 'follow-up',
      label: words.followUp,
      keys: 'u',
      kind: 'plain',
      disabledReason: lackWrite,
      run: () => openTaskDialog({ kind: 'follow-up', task }),
    };
    if (isEnded(task)) return [retry, retryChanged, followUp];
    if (task.status === 'needs_input') return [answer, tell, cancel];
    return task.status === 'running' ? [tell, pause, cancel] : [tell, cancel];
  }, [task, navigate, lackWrite, lackMonitor]);
}
