// Handles the message of a blocking or streaming send: it creates a task, or is added to an existing one.
import type { SendMessageRequest } from '@a2a-js/sdk';
import { ContentTypeNotSupportedError } from '@a2a-js/sdk/errors';
import type { FollowDeps } from '../../../domain/events/follow.ts';
import { messageTask } from '../../../domain/tasks/exchange/answer.ts';
import type { TaskDeps } from '../../../domain/tasks/deps.ts';
import { getTask } from '../../../domain/tasks/read.ts';
import { submitTask } from '../../../domain/tasks/submit.ts';
import { getTaskDetails, type TaskDetails } from '../../../domain/tasks/task-details.ts';
import type { PushTarget } from '../../../domain/model/delivery.ts';
import type { Task } from '../../../domain/model/task/task.ts';
import { invalidInput } from '../../pipeline/schema.ts';
import { outputModes } from '../card/card-formats.ts';
import type { CallContext } from './call-context.ts';
import { draftFromMessage, promptFromParts, type Routing, type createRoutingReader } from './message-draft.ts';
import { contextIdOf, messageFromSdk, type ReceivedMessage } from './sdk-objects.ts';
import { pushTargetFromSdk } from './push-configs.ts';
import { parseEntityId } from '../../pipeline/entity-id.ts';

export interface SendDeps extends TaskDeps, FollowDeps {
  readonly readRouting: ReturnType<typeof createRoutingReader>;
}

/** The message of a send, with what the request says beside it. */
interface SentMessage {
  readonly message: ReceivedMessage;
  /** Empty: the message names none. */
  readonly contextId: string;
  readonly push: PushTarget | undefined;
}

/**
 * The task that the message created or was added to.
 * @throws ContentTypeNotSupportedError; DomainError as `submitTask` and `messageTask`; invalid when the message names a
 *   task and a context that is not the task's
 */
export async function sendMessageToTask(
  deps: SendDeps,
  call: CallContext,
  request: SendMessageRequest,
): Promise<TaskDetails> {
  const { message: sdkMessage, configuration } = request;
  if (sdkMessage === undefined) throw invalidInput([{ path: '/params/message', message: 'is required' }]);
  const modes = configuration?.acceptedOutputModes ?? [];
  checkOutputModes(modes);
  // In the task's metadata they reach the worker and its agent.
  const requestMetadata = { ...request.metadata, ...(modes.length === 0 ? {} : { accepted_output_modes: modes }) };
  const config = configuration?.taskPushNotificationConfig;
  const push = config === undefined ? undefined : pushTargetFromSdk(config, call.info.wire);
  const sent = { message: messageFromSdk(sdkMessage), contextId: sdkMessage.contextId, push };
  return sdkMessage.taskId === ''
    ? submitMessage(deps, call, sent, requestMetadata)
    : addMessageToTask(deps, call, sent, sdkMessage.taskId);
}

async function submitMessage(
  deps: SendDeps,
  call: CallContext,
  { message, contextId, push }: SentMessage,
  requestMetadata: Record<string, unknown>,
): Promise<TaskDetails> {
  const { caller, idempotency } = call.info;
  const routing = deps.readRouting(message.metadata, requestMetadata);
  const conversationId = resolveConversationId(contextId, routing) ?? deps.makeId();
  const draft = { ...draftFromMessage(message, conversationId, requestMetadata, routing), push };
  const { task, replayed } = await submitTask(deps, caller, draft, idempotency);
  call.replayed = replayed;
  return replayed ? getTaskDetails(deps, caller, task.id) : newTaskDetails(task, message);
}

/** The conversation, from contextId or from the routing. @throws DomainError invalid when the two differ */
function resolveConversationId(contextId: string, { conversation_id: routedId }: Routing): string | undefined {
  if (contextId === '') return routedId;
  if (routedId === undefined || routedId === contextId) return contextId;
  const path = '/params/message/metadata/conversation_id';
  throw invalidInput([{ path, message: 'differs from the contextId of the message; send one of them' }]);
}

/** A task that was just created has this one message, so nothing is read back from the database. */
function newTaskDetails(task: Task, message: ReceivedMessage): TaskDetails {
  return { task, waitingReason: null, messages: [{ ...message, role: 'user', at: task.createdAt }], artifacts: [] };
}

async function addMessageToTask(
  deps: SendDeps,
  call: CallContext,
  { message, contextId, push }: SentMessage,
  rawTaskId: string,
): Promise<TaskDetails> {
  const { caller, idempotency } = call.info;
  const taskId = parseEntityId('task', rawTaskId);
  const text = promptFromParts(message.parts);
  const before = await getTask(deps, caller, taskId);
  if (contextId !== '' && contextId !== contextIdOf(before)) {
    throw invalidInput([{ path: '/params/message/contextId', message: 'is not the context of this task' }]);
  }
  const { task, replayed } = await messageTask(deps, caller, taskId, { ...message, text, push, idempotency });
  call.replayed = replayed;
  return getTaskDetails(deps, caller, task.id);
}

/** The names that older callers use instead of media types. */
const legacyModes: Readonly<Record<string, string>> = { text: 'text/*', data: 'application/json', file: '*/*' };

/**
 * Rejects a send when none of the accepted output modes can be produced.
 * @param accepted media types, `text/*` or any type; an empty list accepts everything
 * @throws ContentTypeNotSupportedError a2a v0.3 §7.1.2
 */
function checkOutputModes(accepted: readonly string[]): void {
  if (accepted.length === 0 || accepted.some((mode) => outputModes.some((supported) => accepts(mode, supported))))
    return;
  throw new ContentTypeNotSupportedError(
    `None of the accepted output modes is available. Accept one of: ${outputModes.join(', ')}.`,
  );
}

function accepts(mode: string, supported: string): boolean {
  const given = (mode.split(';')[0] ?? '').trim().toLowerCase();
  const wanted = legacyModes[given] ?? given;
  if (wanted === '*/*' || wanted === '*') return true;
  return wanted.endsWith('/*') ? supported.startsWith(wanted.slice(0, -1)) : wanted === supported;
}
