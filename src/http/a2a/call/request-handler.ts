// Implements the SDK's request handler on the verbs of the domain. The SDK's own handler keeps tasks in memory; this
// one has no state, and every replica can answer every call from the durable queue and log.
import type { AgentCard, SendMessageRequest, StreamResponse } from '@a2a-js/sdk';
import { ExtendedAgentCardNotConfiguredError } from '@a2a-js/sdk/errors';
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server';
import { waitUntilAtRest } from '../../../domain/events/wait-until-at-rest.ts';
import { isAtRest } from '../../../domain/model/task/task-state.ts';
import { cancelTask } from '../../../domain/tasks/cancel.ts';
import { getTaskDetails, type TaskDetails } from '../../../domain/tasks/task-details.ts';
import { callContextOf, type CallContext } from './call-context.ts';
import { errorToSdk, type OnFinished } from './sdk-errors.ts';
import { followFrom, resumeStream, subscribeToTask, type StreamDeps } from './follow.ts';
import { listA2aTasks } from './list-tasks.ts';
import { replyOfPrd, type PrdReplyDeps } from './prd-reply.ts';
import { replyOfRun, type RunReplyDeps } from './run-reply.ts';
import { taskToSdk } from './sdk-objects.ts';
import { deleteA2aPushConfig, getA2aPushConfig, listA2aPushConfigs, setA2aPushConfig } from './push-configs.ts';
import { sendMessageToTask, type SendDeps } from './send.ts';
import { parseEntityId } from '../../pipeline/entity-id.ts';

export interface HandlerDeps extends SendDeps, StreamDeps, RunReplyDeps, PrdReplyDeps {
  readonly agentCard: AgentCard;
  /** Milliseconds that a blocking send waits for the task to come to rest, at most. */
  readonly maxWaitMs: number;
}

/** The handler throws the SDK's errors only; every other error is in the call's `failure`. */
export function createRequestHandler(deps: HandlerDeps): A2ARequestHandler {
  return {
    getAgentCard: () => Promise.resolve(deps.agentCard),
    // Never called: the adapters answer the extended card, because it has more formats than the SDK writes.
    getAuthenticatedExtendedAgentCard: () => Promise.reject(new ExtendedAgentCardNotConfiguredError()),
    sendMessage: (request, context) =>
      runGuarded(context, 'takes_nothing', async (call) => {
        const reply = (await replyOfRun(deps, call, request)) ?? (await replyOfPrd(deps, call, request));
        if (reply !== undefined) return reply;
        const isWaiting = shouldWait(call, request);
        // Before the task is created: after a rejection the caller could not know of it.
        if (isWaiting) call.info.countAsStream();
        const details = await sendMessageToTask(deps, call, request);
        const settledDetails = isWaiting ? await waitUntilSettled(deps, call, details) : details;
        return taskToSdk(settledDetails, request.configuration?.historyLength, deps.addressOf);
      }),
    sendMessageStream: (request, context) =>
      streamGuarded(context, async function* (call) {
        call.info.countAsStream();
        const reply = (await replyOfRun(deps, call, request)) ?? (await replyOfPrd(deps, call, request));
        if (reply !== undefined) {
          yield { payload: { $case: 'message', value: reply } };
          return;
        }
        const details = await sendMessageToTask(deps, call, request);
        // A repeated call resumes the stream of the first one.
        const historyLength = request.configuration?.historyLength;
        yield* call.replayed
          ? resumeStream(deps, call, details.task.id, historyLength)
          : followFrom(deps, call, details, historyLength);
      }),
    getTask: (request, context) =>
      runGuarded(context, 'takes_nothing', async ({ info }) =>
        taskToSdk(
          await getTaskDetails(deps, info.caller, parseEntityId('task', request.id)),
          request.historyLength,
          deps.addressOf,
        ),
      ),
    cancelTask: (request, context) =>
      runGuarded(context, 'not_cancelable', async ({ info }) => {
        const task = await cancelTask(deps, info.caller, parseEntityId('task', request.id));
        return taskToSdk(await getTaskDetails(deps, info.caller, task.id), undefined, deps.addressOf);
      }),
    resubscribe: (request, context) =>
      streamGuarded(context, async function* (call) {
        call.info.countAsStream();
        yield* subscribeToTask(deps, call, parseEntityId('task', request.id));
      }),
    listTasks: (request, context) =>
      runGuarded(context, 'takes_nothing', ({ info }) => listA2aTasks(deps, info.caller, request)),
    createTaskPushNotificationConfig: (request, context) =>
      runGuarded(context, 'takes_nothing', (call) => setA2aPushConfig(deps, call, request)),
    getTaskPushNotificationConfig: (request, context) =>
      runGuarded(context, 'takes_nothing', (call) => getA2aPushConfig(deps, call, request)),
    listTaskPushNotificationConfigs: (request, context) =>
      runGuarded(context, 'takes_nothing', (call) => listA2aPushConfigs(deps, call, request)),
    deleteTaskPushNotificationConfig: (request, context) =>
      runGuarded(context, 'takes_nothing', (call) => deleteA2aPushConfig(deps, call, request)),
  };
}

/** v1.0 waits unless `returnImmediately` is true, v0.3 only when `blocking` is true. choices-6. */
function shouldWait({ info }: CallContext, { configuration }: SendMessageRequest): boolean {
  const immediately = configuration?.returnImmediately;
  return info.wire === '1.0' ? immediately !== true : immediately === false;
}

/** The task when it comes to rest, or its current state when the wait times out. */
async function waitUntilSettled(deps: HandlerDeps, call: CallContext, details: TaskDetails): Promise<TaskDetails> {
  if (isAtRest(details.task.status)) return details;
  const { caller, signal } = call.info;
  const waitEnd = AbortSignal.any([signal, AbortSignal.timeout(deps.maxWaitMs)]);
  await call.info.awaitExternal(() => waitUntilAtRest(deps, caller, details.task.id, waitEnd));
  return getTaskDetails(deps, caller, details.task.id);
}

async function runGuarded<T>(
  context: ServerCallContext,
  onFinished: OnFinished,
  work: (call: CallContext) => Promise<T>,
): Promise<T> {
  const call = callContextOf(context);
  try {
    return await work(call);
  } catch (error) {
    throw errorToSdk(call, error, onFinished);
  }
}

async function* streamGuarded(
  context: ServerCallContext,
  work: (call: CallContext) => AsyncGenerator<StreamResponse, void, undefined>,
): AsyncGenerator<StreamResponse, void, undefined> {
  const call = callContextOf(context);
  try {
    yield* work(call);
  } catch (error) {
    throw errorToSdk(call, error, 'takes_nothing');
  }
}
