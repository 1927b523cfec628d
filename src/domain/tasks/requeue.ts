// What ends a run without ending its task, within the transaction that does the rest of it.
import { taskLimits } from '../model/task/task-limits.ts';
import type { Requeue, RequeueSentences, RequeueVerdict, Rows } from '../ports/store/store.ts';

const sentences: RequeueSentences = {
  released_too_often: `Workers took this task and gave it back ${taskLimits.releases} times.`,
  path_not_found:
    'No registered worker has this path. Check the spelling, or start a worker on the machine that has it.',
  attempts_exhausted: 'The worker stopped answering on attempt %1$s of %2$s and its lease ran out.',
};

/** The task goes back to pending, or over to needs_input; where it may not, it fails with one of our sentences. */
export function requeueTask(rows: Rows, requeue: Omit<Requeue, 'sentences'>): Promise<RequeueVerdict> {
  return rows.taskMoves.requeue({ ...requeue, sentences });
}
