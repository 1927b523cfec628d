// Finds who may change a task: its creator, or the service account whose worker runs it. choices-3, choices-4.
import type { Caller } from '../model/access/caller.ts';
import type { Rows } from '../ports/store/store.ts';
import { requireTask } from './read.ts';

/**
 * The owner of a task for the permission check of this caller. A service account owns each task that its worker runs.
 * @throws DomainError not_found
 */
export async function findTaskOwner(rows: Rows, caller: Caller, taskId: string): Promise<string> {
  const task = await requireTask(rows, taskId);
  if (caller.roles.includes('agent') && task.status === 'running' && task.workerId !== null) {
    const worker = await rows.workers.find(task.workerId);
    if (worker?.subject === caller.subject) return caller.subject;
  }
  return task.createdBy;
}
