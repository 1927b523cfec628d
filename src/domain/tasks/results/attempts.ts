// The verb that lists the attempts of a task.
import type { Caller } from '../../model/access/caller.ts';
import type { Store } from '../../ports/store/store.ts';
import type { AttemptRecord } from '../../ports/task-results.ts';
import { requireTask } from '../read.ts';

/** A task has at most twenty attempts and twenty releases; answered questions add to them. */
const maxAttempts = 1000;

/** The attempts of a task, oldest first: one for each claim. @throws DomainError not_found */
export function listTaskAttempts(
  deps: { readonly store: Store },
  caller: Caller,
  taskId: string,
): Promise<readonly AttemptRecord[]> {
  return deps.store.within(caller, async (rows) => {
    await requireTask(rows, taskId);
    return rows.taskResults.attempts(taskId, maxAttempts);
  });
}
