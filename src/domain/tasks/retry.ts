// The verb retry: submits a finished task again, as a new task that names the one it repeats.
import { permitOwner } from '../access/permit.ts';
import type { Caller } from '../model/access/caller.ts';
import { DomainError } from '../model/errors.ts';
import { newDraft } from '../model/task/task-draft.ts';
import { isTerminal, type TaskStatus } from '../model/task/task-state.ts';
import type { IdempotencyKey } from '../ports/store/queue.ts';
import type { TaskDeps } from './deps.ts';
import { getTaskWithMessages } from './read.ts';
import { submitTask, type SubmitResult } from './submit.ts';
import { refuseStep } from './task-owner.ts';

/**
 * @throws DomainError not_found, forbidden (another's, and the caller is no operator), conflict (not finished, or
 *   a step of a run),
 *   key_reused, unavailable
 */
export async function retryTask(
  deps: TaskDeps,
  caller: Caller,
  taskId: string,
  idempotency?: IdempotencyKey,
): Promise<SubmitResult> {
  const { task, messages } = await getTaskWithMessages(deps, caller, taskId);
  await permitOwner(deps.policy, caller, task.createdBy);
  refuseStep(task);
  if (!isTerminal(task.status)) {
    throw notFinished(task.status);
  }
  const first = messages.find((message) => message.role === 'user');
  return submitTask(
    deps,
    caller,
    newDraft({
      ...task,
      // A deadline that has passed would end the new task at once.
      deadlineAt: null,
      retryOf: task.id,
      message:
        first === undefined ? null : { messageId: first.messageId, parts: first.parts, metadata: first.metadata },
    }),
    idempotency,
  );
}

/** The error for a retry of a task that is not finished. */
export function notFinished(status: TaskStatus): DomainError {
  const message = `This task is ${status}; only a finished task can be retried.`;
  return new DomainError('conflict', 'task_not_finished', message);
}
