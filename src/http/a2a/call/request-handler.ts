// Our request handler behind the official SDK: its interface, over the verbs of the domain. Where the SDK's own keeps
// tasks in one process, this one keeps nothing: the durable queue and log carry the work.
import type { AgentCard, SendMessageRequest, StreamResponse } from '@a2a-js/sdk';
import { ExtendedAgentCardNotConfiguredError } from '@a2a-js/sdk/errors';
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server';
import { settle } from '../../../domain/events/settle.ts';
import { isAtRest } from '../../../domain/model/task/task-state.ts';
import { cancelTask } from '../../../domain/tasks/cancel.ts';
import { getWhole, type WholeTask } from '../../../domain/tasks/whole.ts';
import { callOf, type CallContext } from './call.ts';
import { protocolError, type OnFinished } from './errors.ts';
import { followFrom, resume, subscribe, type StreamDeps } from './follow.ts';
import { listTasks } from './list.ts';
import { taskObject } from './objects.ts';
import { deletePush, getPush, listPush, setPush } from './push.ts';
import { send, type SendDeps } from './send.ts';
import { taskIdOf } from './task-id.ts';

export interface HandlerDeps extends SendDeps, StreamDeps {
  readonly agentCard: AgentCard;
  /** Milliseconds that a call which asks for the outcome waits for it, at most. */
  readonly maxWaitMs: number;
}

/** Throws the SDK's errors alone: what else goes wrong is in the call's `failure`. */
export function requestHandler(deps: HandlerDeps): A2ARequestHandler {
  return {
    getAgentCard: () => Promise.resolve(deps.agentCard),
    // The doors answer it themselves: the card has more forms than the SDK writes.
    getAuthenticatedExtendedAgentCard: () => Promise.reject(new ExtendedAgentCardNotConfiguredError()),
    sendMessage: (request, context) =>
      guarded(context, 'takes_nothing', async (call) => {
        const isWaiting = waits(call, request);
        // Refused before there is a task: after that nobody would know of it.
        if (isWaiting) call.facts.staysOpen();
        const sent = await send(deps, call, request);
        const whole = isWaiting ? await settled(deps, call, sent) : sent;
        return taskObject(whole, request.configuration?.historyLength, deps.addressOf);
      }),
    sendMessageStream: (request, context) =>
      guardedFrames(context, async function* (call) {
        call.facts.staysOpen();
        const sent = await send(deps, call, request);
        // A repeated call goes on where its first answer was cut off.
        const historyLength = request.configuration?.historyLength;
        yield* call.replayed
          ? resume(deps, call, sent.task.id, historyLength)
          : followFrom(deps, call, sent, historyLength);
      }),
    getTask: (request, context) =>
      guarded(context, 'takes_nothing', async ({ facts }) =>
        taskObject(await getWhole(deps, facts.caller, taskIdOf(request.id)), request.historyLength, deps.addressOf),
      ),
    cancelTask: (request, context) =>
      guarded(context, 'not_cancelable', async ({ facts }) => {
        const task = await cancelTask(deps, facts.caller, taskIdOf(request.id));
        return taskObject(await getWhole(deps, facts.caller, task.id), undefined, deps.addressOf);
      }),
    resubscribe: (request, context) =>
      guardedFrames(context, async function* (call) {
        call.facts.staysOpen();
        yield* subscribe(deps, call, taskIdOf(request.id));
      }),
    listTasks: (request, context) =>
      guarded(context, 'takes_nothing', ({ facts }) => listTasks(deps, facts.caller, request)),
    createTaskPushNotificationConfig: (request, context) =>
      guarded(context, 'takes_nothing', (call) => setPush(deps, call, request)),
    getTaskPushNotificationConfig: (request, context) =>
      guarded(context, 'takes_nothing', (call) => getPush(deps, call, request)),
    listTaskPushNotificationConfigs: (request, context) =>
      guarded(context, 'takes_nothing', (call) => listPush(deps, call, request)),
    deleteTaskPushNotificationConfig: (request, context) =>
      guarded(context, 'takes_nothing', (call) => deletePush(deps, call, request)),
  };
}

/** choices §6: v1.0 waits unless told not to, v0.3 only when told to. */
function waits({ facts }: CallContext, { configuration }: SendMessageRequest): boolean {
  const immediately = configuration?.returnImmediately;
  return facts.wire === '1.0' ? immediately !== true : immediately === false;
}

/** The task when it rests, or as it stands when the wait is over. */
async function settled(deps: HandlerDeps, call: CallContext, sent: WholeTask): Promise<WholeTask> {
  if (isAtRest(sent.task.status)) return sent;
  const { caller, signal } = call.facts;
  const over = AbortSignal.any([signal, AbortSignal.timeout(deps.maxWaitMs)]);
  await call.facts.waiting(() => settle(deps, caller, sent.task.id, over));
  return getWhole(deps, caller, sent.task.id);
}

async function guarded<T>(
  context: ServerCallContext,
  onFinished: OnFinished,
  work: (call: CallContext) => Promise<T>,
): Promise<T> {
  const call = callOf(context);
  try {
    return await work(call);
  } catch (error) {
    throw protocolError(call, error, onFinished);
  }
}

async function* guardedFrames(
  context: ServerCallContext,
  work: (call: CallContext) => AsyncGenerator<StreamResponse, void, undefined>,
): AsyncGenerator<StreamResponse, void, undefined> {
  const call = callOf(context);
  try {
    yield* work(call);
  } catch (error) {
    throw protocolError(call, error, 'takes_nothing');
  }
}
