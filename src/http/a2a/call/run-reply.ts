// Answers the open question of a run by a message to the run's conversation, which is the message's context. runs-6.3.
import { Role, type Message, type SendMessageRequest } from '@a2a-js/sdk';
import { answerRunByMessage, type RunMessageDeps } from '../../../domain/runs/change/answer-by-message.ts';
import type { MakeId } from '../../../lib/uuid7.ts';
import type { CallContext } from './call-context.ts';
import { promptFromParts } from './message-draft.ts';
import { messageFromSdk, partToSdk } from './sdk-objects.ts';

export interface RunReplyDeps {
  readonly runs: RunMessageDeps;
  readonly makeId: MakeId;
}

/**
 * The reply of the unfinished run whose conversation is the context; undefined: the message is for a task.
 * @throws DomainError as `answerRunByMessage`
 */
export async function replyOfRun(
  deps: RunReplyDeps,
  { info }: CallContext,
  { message }: SendMessageRequest,
): Promise<Message | undefined> {
  if (message === undefined || message.taskId !== '' || message.contextId === '') return undefined;
  const text = promptFromParts(messageFromSdk(message).parts);
  const reply = await answerRunByMessage(deps.runs, info.caller, message.contextId, text);
  if (reply === undefined) return undefined;
  return {
    messageId: deps.makeId(),
    contextId: message.contextId,
    taskId: '',
    role: Role.ROLE_AGENT,
    parts: [partToSdk({ text: reply.text })],
    metadata: { run_id: reply.run.id, status: reply.run.status },
    extensions: [],
    referenceTaskIds: [],
  };
}
