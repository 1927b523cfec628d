// The verb cancel: ends the task in the record at once and notifies the worker that runs it.
import { changeOwned } from '../access/change-owned.ts';
import type { Demand } from '../access/permit.ts';
import type { Caller } from '../model/access/caller.ts';
import { DomainError, notFound } from '../model/errors.ts';
import type { Task } from '../model/task/task.ts';
import { announceChange } from './announce.ts';
import type { TaskDeps } from './deps.ts';
import { requireTask } from './read.ts';
import { findTaskOwner, refuseStep } from './task-owner.ts';

export interface CancelOptions {
  readonly reason?: string | undefined;
  /** The permission that a caller needs in addition to cancel a task of another subject. */
  readonly othersDemand?: Demand | undefined;
}

/**
 * Cancels a task that is not finished.
 * @throws DomainError not_found, forbidden (another's, and the caller is no operator), conflict (already finished, or a
 *   step of a run)
 */
export async function cancelTask(
  deps: Pick<TaskDeps, 'store' | 'policy' | 'wake'>,
  caller: Caller,
  taskId: string,
  { reason, othersDemand }: CancelOptions = {},
): Promise<Task> {
  const { task, workerId } = await changeOwned(deps, caller, {
    othersDemand,
    ownerOf: (rows) => findTaskOwner(rows, caller, taskId),
    change: async (rows) => {
      refuseStep(await requireTask(rows, taskId));
      const end = await rows.taskMoves.end(taskId, 'cancelled', null, reason ?? `cancelled by ${caller.name}`);
      if (end.verdict === 'missing') throw notFound('task');
      if (end.verdict === 'terminal') throw alreadyFinished(end.status);
      return { task: await requireTask(rows, taskId), workerId: end.workerId };
    },
  });
  announceChange(deps.wake, caller.tenantId, task, { wasOn: workerId });
  return task;
}

/** The error for a change of a task in a terminal state. choices-2. */
export function alreadyFinished(status: string): DomainError {
  return new DomainError(
    'conflict',
    'task_finished',
    `This task is already ${status}and cannot change. Submit a new task instead.`,
  );
}
