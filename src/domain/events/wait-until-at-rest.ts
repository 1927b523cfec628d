// The verb settle: waits until a task rests, for callers who want the outcome in the answer to their call.
import type { Caller } from '../model/access/caller.ts';
import { notFound } from '../model/errors.ts';
import { isAtRest } from '../model/task/task-state.ts';
import type { FollowDeps } from './follow.ts';

/** Hints may be lost; the task is looked at again after this long at the latest. */
const pollMs = 15_000;

/**
 * Resolves when the task is finished or asks for input, or when `signal` aborts. Leaving never touches the task.
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
