// Refuses changes of a step of a run: the director alone starts, repeats and ends steps.
import { DomainError } from '../model/errors.ts';
import type { Task } from '../model/task/task.ts';

/** @throws DomainError conflict `belongs_to_run`, with the run's id */
export function refuseStep({ step }: Pick<Task, 'step'>): void {
  if (step === null) return;
  const message = 'This task is a step of a run. Pause, cancel or retry the run instead.';
  throw new DomainError('conflict', 'belongs_to_run', message, { runId: step.run_id });
}
