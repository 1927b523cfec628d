// The verb that changes a pending task: its priority, its deadline, its title. ui-6.10.
import { changeOwned } from '../../access/change-owned.ts';
import type { Caller } from '../../model/access/caller.ts';
import { DomainError, notFound } from '../../model/errors.ts';
import type { Task } from '../../model/task/task.ts';
import type { TaskStatus } from '../../model/task/task-state.ts';
import type { TaskChange } from '../../ports/store/store.ts';
import { announceChange } from '../announce.ts';
import type { TaskDeps } from '../deps.ts';
import { requireTask } from '../read.ts';
import { invalidField } from '../routing/invalid-field.ts';
import { findTaskOwner, refuseStep } from '../task-owner.ts';

/**
 * @throws DomainError invalid (malformed deadline), not_found, forbidden (another's, and the caller is no operator), conflict
 *   (not pending, or a step of a run)
 */
export async function changeTask(
  deps: Pick<TaskDeps, 'store' | 'policy' | 'wake'>,
  caller: Caller,
  taskId: string,
  change: TaskChange,
): Promise<Task> {
  const { deadlineAt } = change;
  // 1970 or later: times before the common era could not be read back.
  if (typeof deadlineAt === 'string' && !(Date.parse(deadlineAt) >= 0)) {
    throw invalidField('/deadline_at', 'must be a time, in 1970 or later');
  }
  const task = await changeOwned(deps, caller, {
    ownerOf: (rows) => findTaskOwner(rows, caller, taskId),
    change: async (rows) => {
      refuseStep(await requireTask(rows, taskId));
      const outcome = await rows.taskMoves.change(taskId, change);
      if (outcome.verdict === 'missing') throw notFound('task');
      if (outcome.verdict === 'not_pending') throw notPending(outcome.status);
      return outcome.task;
    },
  });
  announceChange(deps.wake, caller.tenantId, task);
  return task;
}

/** The error for a change of a task that a worker has, or had. */
export function notPending(status: TaskStatus): DomainError {
  const message = `This task is ${status}; only a pending task can be changed.`;
  return new DomainError('conflict', 'task_not_pending', message);
}
