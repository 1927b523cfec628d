// Adds a message to a task's exchange, within the caller's transaction.
import { DomainError, notFound } from '../../model/errors.ts';
import { taskLimits } from '../../model/task/task-limits.ts';
import type { AnswerVerdict, MessageToTask, Rows } from '../../ports/store/store.ts';
import { alreadyFinished } from '../cancel.ts';

/** @throws DomainError not_found; conflict: `task_finished`, `exchange_full`, `question_changed` */
export async function addMessage(
  rows: Rows,
  taskId: string,
  message: MessageToTask,
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
    case 'question_changed':
      throw questionChanged();
    default:
      return answer;
  }
}

/** The error for an answer to another question than the task asks now. ui-6.3. */
export function questionChanged(): DomainError {
  const errorMessage = 'This task asks another question by now. Read it again, then answer.';
  return new DomainError('conflict', 'question_changed', errorMessage);
}
