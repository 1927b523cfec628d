// The verb answer: adds a message to a task; a task that waits for input continues with it.
import { changeOwned } from '../../access/change-owned.ts';
import { requirePerson } from '../../access/require-person.ts';
import type { Caller } from '../../model/access/caller.ts';
import type { PushTarget } from '../../model/delivery.ts';
import { DomainError } from '../../model/errors.ts';
import type { Part, Task } from '../../model/task/task.ts';
import { announceChange } from '../announce.ts';
import { addPushConfig } from '../add-push-config.ts';
import type { IdempotencyKey } from '../../ports/store/queue.ts';
import type { Rows } from '../../ports/store/store.ts';
import { addMessage, questionChanged } from './add-message.ts';
import type { TaskDeps } from '../deps.ts';
import { addIntervention } from './intervene.ts';
import { invalidField } from '../routing/invalid-field.ts';
import { checkPushTarget } from '../routing/target-url.ts';
import { requireTask } from '../read.ts';
import { keyReused } from '../submit.ts';
import { findTaskOwner } from '../task-owner.ts';

export interface NewTaskMessage {
  /** The sender's id of the message; generated when absent. */
  readonly messageId?: string | undefined;
  readonly parts: readonly Part[];
  /** The text of the parts, for an agent that is running. */
  readonly text: string;
  readonly metadata?: Record<string, unknown> | undefined;
  /** Receives the task's changes of status from this message on; stored only if the message is accepted. */
  readonly push?: PushTarget | undefined;
  readonly idempotency?: IdempotencyKey | undefined;
}

export interface MessageResult {
  readonly task: Task;
  /** True: the message was accepted before, with the same key, or the same id and text. It changes nothing now. */
  readonly replayed: boolean;
}

/**
 * Adds a message to a task. A task that needs input goes back to pending with it. A pending or running task keeps its
 * state and has the message in the exchange; a running one also gets it as an intervention.
 * choices-2 and choices-6.
 * @throws DomainError not_found, forbidden (another's, and the caller is no operator; `needs_person`), conflict (already finished,
 *   exchange full, too many undelivered interventions), key_reused; invalid for a push config: as `setPushConfig`
 */
export async function messageTask(
  deps: Pick<TaskDeps, 'store' | 'policy' | 'wake' | 'makeId' | 'egress'>,
  caller: Caller,
  taskId: string,
  message: NewTaskMessage,
): Promise<MessageResult> {
  const { push, idempotency } = message;
  if (push !== undefined) checkPushTarget(deps.egress, push);
  const newMessage = {
    messageId: message.messageId ?? deps.makeId(),
    parts: message.parts,
    metadata: message.metadata ?? {},
    by: caller.subject,
  };
  const { task, workerId, replayed } = await changeOwned(deps, caller, {
    ownerOf: (rows) => findTaskOwner(rows, caller, taskId),
    change: async (rows) => {
      // A generated id cannot have been used before.
      if (message.messageId !== undefined || idempotency !== undefined) {
        const repeat = await rows.repeats.claimMessage(taskId, caller.subject, newMessage, idempotency);
        if (repeat.verdict === 'key_reused') throw keyReused();
        if (repeat.verdict === 'repeated') {
          return { task: await requireTask(rows, repeat.taskId), workerId: null, replayed: true };
        }
      }
      // First, so that its receiver is notified of the change that the message causes; a refusal below rolls it back.
      if (push !== undefined) await addPushConfig(rows, caller, taskId, push);
      const answer = await addMessage(rows, taskId, newMessage);
      if (answer.verdict === 'resumed') await permitAnswer(rows, caller, taskId);
      if (answer.workerId !== null) {
        const { messageId } = newMessage;
        const intervention = {
          id: deps.makeId(),
          taskId,
          action: 'message',
          message: message.text,
          messageId,
        } as const;
        await addIntervention(rows, { ...intervention, createdBy: caller.subject });
      }
      return { task: await requireTask(rows, taskId), workerId: answer.workerId, replayed: false };
    },
  });
  if (replayed) return { task, replayed };
  announceChange(deps.wake, caller.tenantId, task);
  if (workerId !== null) deps.wake.announce({ kind: 'intervention', tenantId: caller.tenantId, workerId });
  return { task, replayed };
}

/** An answer: exactly one of `message` and `option`. */
export interface TaskAnswer {
  readonly message?: string | undefined;
  /** The value of one of the question's options. */
  readonly option?: string | undefined;
  /** The question that it answers; absent: whichever the task asks. */
  readonly questionId?: string | undefined;
}

/**
 * Answers a task's question: with a message, or with the label of one of its options.
 * @throws DomainError as `messageTask`; invalid unless it is exactly one of a message and an option that the question
 *   has; conflict also: `no_question` when the task asks nothing, `question_changed` when it asks another question
 */
export async function answerTask(
  deps: Pick<TaskDeps, 'store' | 'policy' | 'wake' | 'makeId'>,
  caller: Caller,
  taskId: string,
  { message, option, questionId }: TaskAnswer,
): Promise<Task> {
  const messageId = deps.makeId();
  const task = await changeOwned(deps, caller, {
    ownerOf: (rows) => findTaskOwner(rows, caller, taskId),
    change: async (rows) => {
      if ((message === undefined) === (option === undefined)) {
        throw invalidField('/message', 'or option must be given, but not both');
      }
      const chosen =
        option === undefined
          ? { text: message ?? '', questionId }
          : await findChosen(rows, taskId, { option, questionId });
      const answer = await addMessage(rows, taskId, {
        messageId,
        parts: [{ text: chosen.text }],
        metadata: {},
        questionId: chosen.questionId,
        by: caller.subject,
      });
      // Thrown within the transaction: the message is rolled back with it.
      if (answer.verdict === 'added') {
        throw new DomainError('conflict', 'no_question', `This task is ${answer.status} and asks for no input.`);
      }
      await permitAnswer(rows, caller, taskId);
      return requireTask(rows, taskId);
    },
  });
  announceChange(deps.wake, caller.tenantId, task);
  return task;
}

/** The question of a step is its run's. Thrown within the transaction: the answer is rolled back with it. */
async function permitAnswer(rows: Rows, caller: Caller, taskId: string): Promise<void> {
  const { step } = await requireTask(rows, taskId);
  if (step !== null) requirePerson(caller);
}

/**
 * The label of a chosen option, and the question that has it: the answer holds only while the task asks that one. A task
 * that asks nothing now is refused when the message is added, even if it has asked something by then.
 */
async function findChosen(
  rows: Rows,
  taskId: string,
  { option, questionId }: { readonly option: string; readonly questionId: string | undefined },
): Promise<{ text: string; questionId: string }> {
  const { status } = await requireTask(rows, taskId);
  const question = status === 'needs_input' ? (await rows.tasks.questions([taskId])).get(taskId) : undefined;
  if (question === undefined) return { text: option, questionId: questionId ?? '' };
  if (questionId !== undefined && questionId !== question.questionId) throw questionChanged();
  const chosen = question.options.find(({ value }) => value === option);
  if (chosen === undefined) throw invalidField('/option', 'must be the value of an option of the question');
  return { text: chosen.label, questionId: question.questionId };
}
