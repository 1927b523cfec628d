// The verb cancel: the record says so at once, and the worker that runs it is told to kill its agent.
import type { Caller } from '../model/caller.ts';
import { DomainError, notFound } from '../model/errors.ts';
import type { Task } from '../model/task.ts';
import type { TaskDeps } from './deps.ts';
import { permitTask } from './permit-task.ts';
import { existing } from './read.ts';

/**
 * Cancels a task that is not finished.
 * @throws DomainError not_found, forbidden (another's, and the caller is no operator), conflict (already finished)
 */
export async function cancelTask(
  deps: Pick<TaskDeps, 'store' | 'policy' | 'wake'>,
  caller: Caller,
  taskId: string,
  reason?: string,
): Promise<Task> {
  const { task, workerId } = await deps.store.within(caller, async (rows) => {
    await permitTask(deps.policy, rows, caller, await existing(rows, taskId));
    const end = await rows.tasks.end(taskId, 'cancelled', null, reason ?? `cancelled by ${caller.name}`);
    if (end.verdict === 'missing') throw notFound('task');
    if (end.verdict === 'terminal') throw alreadyFinished(end.status);
    return { task: await existing(rows, taskId), workerId: end.workerId };
  });
  const { tenantId } = caller;
  if (workerId !== null) deps.wake.announce({ kind: 'cancel', tenantId, workerId, taskId });
  deps.wake.announce({ kind: 'task', tenantId, taskId });
  return task;
}

/** A task in a terminal state takes nothing more. choices §2. */
export function alreadyFinished(status: string): DomainError {
  return new DomainError('conflict', 'task_finished', `This task is already ${status}; nothing changes it any more.`);
}
