// Announces a change of a task to followers, workers and webhooks.
import type { Task } from '../model/task/task.ts';
import type { TaskStatus } from '../model/task/task-state.ts';
import type { WakeBus } from '../ports/wake.ts';
import { pendingWake } from './routing/pending-wake.ts';

/** A changed task; of a task that cannot be pending, id and status are enough. */
type ChangedTask = Task | { readonly id: string; readonly status: Exclude<TaskStatus, 'pending'> };

/**
 * Announces that a task has changed and, if it is pending, that it waits for a worker. Call it only after the commit:
 * the receivers of a hint read the store at once.
 * @param wasOn the worker whose attempt the change ended, and which must stop it
 */
export function announceChange(
  wake: WakeBus,
  tenantId: string,
  task: ChangedTask,
  { wasOn = null }: { readonly wasOn?: string | null } = {},
): void {
  if (wasOn !== null) wake.announce({ kind: 'cancel', tenantId, workerId: wasOn, taskId: task.id });
  wake.announce({ kind: 'task', tenantId, taskId: task.id });
  if (task.status === 'pending') wake.announce(pendingWake(tenantId, task));
}
