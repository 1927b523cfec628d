// The verb wait until at rest: waits for the outcome of a task, for callers that want it in the answer to their call.
import type { Caller } from '../model/access/caller.ts';
import { notFound } from '../model/errors.ts';
import { isAtRest } from '../model/task/task-state.ts';
import type { FollowDeps } from './follow.ts';

/** Maximum time between polls of the task: hints may be lost. */
const pollMs = 15_000;

/**
 * Resolves when the task is finished or asks for input, or when `signal` aborts. Aborting never affects the task.
 * @throws DomainError not_found, unavailable
 */
export async function waitUntilAtRest(
  deps: FollowDeps,
  caller: Caller,
  taskId: string,
  signal: AbortSignal,
): Promise<void> {
  using subscription = deps.signals.subscribe(caller.tenantId, taskId);
  while (!signal.aborted) {
    const task = await deps.store.within(caller, (rows) => rows.tasks.find(taskId));
    if (task === undefined) throw notFound('task');
    if (isAtRest(task.status)) return;
    await subscription.changed(pollMs, signal);
  }
}
