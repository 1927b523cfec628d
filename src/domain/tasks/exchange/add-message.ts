// Adds a message to a task's exchange, within the caller's transaction.
import { DomainError, notFound } from '../../model/errors.ts';
import { taskLimits } from '../../model/task/task-limits.ts';
import type { AnswerVerdict, Rows } from '../../ports/store/store.ts';
import { alreadyFinished } from '../cancel.ts';

/** @throws DomainError not_found; conflict: `task_finished`, `exchange_full` */
export async function addMessage(
  rows: Rows,
  taskId: string,
  message: Parameters<Rows['taskMoves']['answer']>[1],
): Promise<Extract<AnswerVerdict, { verdict: 'resumed' | 'added' }>> {
  const answer = await rows.taskMoves.answer(taskId, message);
  switch (answer.verdict) {
    case 'missing':
      throw notFound('task');
    case 'terminal':
      throw alreadyFinished(answer.status);
    case 'full': {
      const errorMessage = `With this message the task would hold more than ${taskLimits.messageBytes / 2 ** 20} MiB of messages: send files by URL, or cancel the task.`;
      throw new DomainError('conflict', 'exchange_full', errorMessage);
    }
    default:
      return answer;
  }
}
