// Ends an attempt without ending its task, within the caller's transaction.
import { taskLimits } from '../model/task/task-limits.ts';
import type { Requeue, RequeueSentences, RequeueVerdict, Rows } from '../ports/store/store.ts';

const sentences: RequeueSentences = {
  released_too_often: `Workers took this task and gave it back ${taskLimits.releases} times.`,
  path_not_found:
    'No registered worker has this path. Check the spelling, or start a worker on the machine that has it.',
  attempts_exhausted: 'The worker stopped answering on attempt %1$s of %2$s and its lease ran out.',
};

/** Moves the task back to pending, or on to needs_input. A task that may not be requeued fails with a sentence. */
export function requeueTask(rows: Rows, requeue: Omit<Requeue, 'sentences'>): Promise<RequeueVerdict> {
  return rows.taskMoves.requeue({ ...requeue, sentences });
}
