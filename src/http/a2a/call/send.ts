// What message/send and message/stream have in common: the message becomes a task, or joins the exchange of one.
import type { SendMessageRequest } from '@a2a-js/sdk';
import type { FollowDeps } from '../../../domain/events/follow.ts';
import { messageTask } from '../../../domain/tasks/exchange/answer.ts';
import type { TaskDeps } from '../../../domain/tasks/deps.ts';
import { getTask } from '../../../domain/tasks/read.ts';
import { submitTask } from '../../../domain/tasks/submit.ts';
import { getWhole, type WholeTask } from '../../../domain/tasks/whole.ts';
import type { PushTarget } from '../../../domain/model/delivery.ts';
import type { Task } from '../../../domain/model/task/task.ts';
import { invalidInput } from '../../pipeline/schema.ts';
import type { CallContext } from './call.ts';
import { draftOf, promptOf, type Routing, type routingReader } from './draft.ts';
import { contextIdOf, messageOf, type AskedMessage } from './objects.ts';
import { checkOutputModes } from './output-modes.ts';
import { pushTargetOf } from './push.ts';
import { taskIdOf } from './task-id.ts';

export interface SendDeps extends TaskDeps, FollowDeps {
  readonly readRouting: ReturnType<typeof routingReader>;
}

/**
 * The task that a message led to, as it stands after it.
 * @throws ContentTypeNotSupportedError; DomainError as `submitTask` and `messageTask`; invalid when the message names a task and another's context
 */
export async function send(deps: SendDeps, call: CallContext, request: SendMessageRequest): Promise<WholeTask> {
  const { message: given, configuration } = request;
  if (given === undefined) throw invalidInput([{ path: '/params/message', message: 'is required' }]);
  const modes = configuration?.acceptedOutputModes ?? [];
  checkOutputModes(modes);
  // With the task's metadata they reach the worker, and so the agent.
  const ofParams = { ...request.metadata, ...(modes.length === 0 ? {} : { accepted_output_modes: modes }) };
  const config = configuration?.taskPushNotificationConfig;
  const push = config === undefined ? undefined : pushTargetOf(config, call.facts.wire);
  const message = messageOf(given);
  return given.taskId === ''
    ? begin(deps, call, message, given.contextId, ofParams, push)
    : join(deps, call, message, given.taskId, given.contextId, push);
}

async function begin(
  deps: SendDeps,
  call: CallContext,
  message: AskedMessage,
  contextId: string,
  ofParams: Record<string, unknown>,
  push: PushTarget | undefined,
): Promise<WholeTask> {
  const { caller, idempotency } = call.facts;
  const routing = deps.readRouting(message.metadata, ofParams);
  const conversationId = conversationOf(contextId, routing) ?? deps.makeId();
  const draft = { ...draftOf(message, conversationId, ofParams, routing), push };
  const { task, replayed } = await submitTask(deps, caller, draft, idempotency);
  call.replayed = replayed;
  return replayed ? getWhole(deps, caller, task.id) : fresh(task, message);
}

/** The protocol's name for a conversation is the message's contextId. @throws DomainError invalid for two of them */
function conversationOf(contextId: string, { conversation_id: named }: Routing): string | undefined {
  if (contextId === '') return named;
  if (named === undefined || named === contextId) return contextId;
  const path = '/params/message/metadata/conversation_id';
  throw invalidInput([{ path, message: 'is another than the contextId of the message' }]);
}

/** A task that was just made, with its one message: nothing of it needs to be read back. */
function fresh(task: Task, message: AskedMessage): WholeTask {
  return { task, waitingReason: null, messages: [{ ...message, role: 'user', at: task.createdAt }], artifacts: [] };
}

async function join(
  deps: SendDeps,
  call: CallContext,
  message: AskedMessage,
  namedId: string,
  contextId: string,
  push: PushTarget | undefined,
): Promise<WholeTask> {
  const { caller, idempotency } = call.facts;
  const taskId = taskIdOf(namedId);
  const text = promptOf(message.parts);
  const before = await getTask(deps, caller, taskId);
  if (contextId !== '' && contextId !== contextIdOf(before)) {
    throw invalidInput([{ path: '/params/message/contextId', message: 'is not the context of this task' }]);
  }
  const { task, replayed } = await messageTask(deps, caller, taskId, { ...message, text, push, idempotency });
  call.replayed = replayed;
  return getWhole(deps, caller, task.id);
}
