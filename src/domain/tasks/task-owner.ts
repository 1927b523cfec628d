// Finds who may change a task; nobody but the director of runs ends or repeats a step. The owner is its creator, or the service account whose worker runs it. choices-3, choices-4.
import type { Caller } from '../model/access/caller.ts';
import { DomainError } from '../model/errors.ts';
import type { Task } from '../model/task/task.ts';
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

/** @throws DomainError conflict `belongs_to_run`, with the run's id, for a step of a run */
export function refuseStep({ step }: Pick<Task, 'step'>): void {
  if (step === null) return;
  const message = 'This task is a step of a run. Pause, cancel or retry the run instead.';
  throw new DomainError('conflict', 'belongs_to_run', message, { runId: step.run_id });
}
