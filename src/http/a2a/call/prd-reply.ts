// Answers the open question of a PRD chat by a message to its conversation, which is the message's context. runs-6.3.
import { Role, type Message, type SendMessageRequest } from '@a2a-js/sdk';
import { answerPrdByMessage } from '../../../domain/prd/chat/answer-by-message.ts';
import { answerToMessage } from '../../../domain/prd/chat/answer-to-message.ts';
import type { PrdChatDeps } from '../../../domain/prd/chat/chat-deps.ts';
import type { FollowDeps } from '../../../domain/events/follow.ts';
import type { MakeId } from '../../../lib/uuid7.ts';
import type { CallContext } from './call-context.ts';
import { promptFromParts } from './message-draft.ts';
import { messageFromSdk, partToSdk } from './sdk-objects.ts';

export interface PrdReplyDeps extends FollowDeps {
  readonly chat: PrdChatDeps;
  readonly makeId: MakeId;
}

/**
 * The reply of the PRD chat whose conversation is the context; undefined: the message is for a task. An assistant's reply is not
 * awaited: the reply names its task.
 * @throws DomainError as `answerPrdByMessage`
 */
export async function replyOfPrd(
  deps: PrdReplyDeps,
  call: CallContext,
  { message }: SendMessageRequest,
): Promise<Message | undefined> {
  if (message === undefined || message.taskId !== '' || message.contextId === '') return undefined;
  const { caller, idempotency } = call.info;
  const text = promptFromParts(messageFromSdk(message).parts);
  const reply = await answerPrdByMessage(deps.chat, caller, message.contextId, { text, idempotency });
  if (reply === undefined) return undefined;
  const shown = 'text' in reply ? { text: reply.text, taskId: null } : await readTurn(deps, call, reply.sent);
  return {
    messageId: deps.makeId(),
    contextId: message.contextId,
    taskId: '',
    role: Role.ROLE_AGENT,
    parts: [partToSdk({ text: shown.text })],
    metadata: {},
    extensions: [],
    referenceTaskIds: shown.taskId === null ? [] : [shown.taskId],
  };
}

async function readTurn(
  deps: PrdReplyDeps,
  call: CallContext,
  sent: Parameters<typeof answerToMessage>[2],
): Promise<{ readonly text: string; readonly taskId: string | null }> {
  call.replayed = sent.replayed;
  const { turn } = await answerToMessage({ ...deps, ...deps.chat }, call.info.caller, sent, AbortSignal.abort());
  const { text, taskId } = turn;
  return turn.status === 'answering' && taskId !== null
    ? { text: `The assistant has your answer. Task ${taskId} writes its reply.`, taskId }
    : { text, taskId };
}
