// The adapter of v0.3 on JSON-RPC: the SDK's transport handler in front of our request handler. Adds what the SDK
// lacks: tasks/list (not a method of v0.3), the extended card, and `final` at a question.
import { TaskState, type ListTasksRequest, type Task } from '@a2a-js/sdk';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import { LegacyJsonRpcTransportHandler, V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import * as wire from '../../../contracts/a2a/a2a.ts';
import { isObject } from '../../wire/rpc-envelope.ts';
import { actions } from '../protocol/actions.ts';
import type { Cards } from '../card/cards.ts';
import { checkParts } from '../call/check-parts.ts';
import type { VersionAdapter } from '../protocol/version-adapter.ts';
import { paramsToV03, sendParamsToV03 } from './params-to-v03.ts';
import { callSdk, createCallContext, callErrorOf, type SdkTransport } from '../call/sdk-call.ts';

export interface VersionAdapterDeps {
  readonly handler: A2ARequestHandler;
  readonly cards: Cards;
  readonly makeId: () => string;
}

const params = {
  send: wire.messageSendParams,
  stream: wire.messageSendParams,
  get: wire.taskQueryParams,
  list: wire.listTasksParams,
  cancel: wire.taskIdParams,
  subscribe: wire.taskIdParams,
  push_set: wire.pushSetParams,
  push_get: wire.pushGetParams,
  push_list: wire.taskIdParams,
  push_delete: wire.pushDeleteParams,
  extended_card: wire.noParams,
};

export function createV03Adapter({ handler, cards, makeId }: VersionAdapterDeps): VersionAdapter {
  const sdk = new LegacyJsonRpcTransportHandler(handler);
  const transport: SdkTransport = {
    version: '0.3',
    handle: (body, context) => sdk.handle(body, context),
    errorOf: (error) => LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error),
    frame: withFinal,
  };
  return {
    version: '0.3',
    params,
    normalise: (action, given, path) =>
      action === 'send' || action === 'stream' ? sendParamsToV03(given, path, makeId) : paramsToV03(given),
    check: (action, given) => {
      if (action === 'send' || action === 'stream') checkParts(given, '0.3');
    },
    async answer(action, caller, received) {
      if (action === 'extended_card')
        return { result: await cards.extendedCard(caller, '0.3', received.context.view.forwardedOrigin) };
      if (action !== 'list') return callSdk(transport, actions[action].methods['0.3'][0] ?? action, caller, received);
      const call = createCallContext('0.3', caller, received.context);
      try {
        // Already validated; parsed again to have the types.
        const page = await handler.listTasks(listRequestFromV03(wire.listTasksParams.parse(received.params)), call);
        return { result: { ...page, tasks: page.tasks.map(taskSdkToV03) } };
      } catch (error) {
        throw callErrorOf(transport, call, error);
      }
    },
  };
}

/** The SDK sets `final` only at the end of a task, but a v0.3 stream ends at a question too. choices-6. */
function withFinal(result: unknown, last: boolean): unknown {
  return isObject(result) && result['kind'] === 'status-update' ? { ...result, final: last } : result;
}

const stateByName: Record<NonNullable<wire.ListTasksParams['status']>, TaskState> = {
  submitted: TaskState.TASK_STATE_SUBMITTED,
  working: TaskState.TASK_STATE_WORKING,
  'input-required': TaskState.TASK_STATE_INPUT_REQUIRED,
  completed: TaskState.TASK_STATE_COMPLETED,
  canceled: TaskState.TASK_STATE_CANCELED,
  failed: TaskState.TASK_STATE_FAILED,
  rejected: TaskState.TASK_STATE_REJECTED,
  'auth-required': TaskState.TASK_STATE_AUTH_REQUIRED,
  unknown: TaskState.UNRECOGNIZED,
};

function listRequestFromV03(given: wire.ListTasksParams): ListTasksRequest {
  return {
    tenant: '',
    contextId: given.contextId ?? '',
    status: given.status === undefined ? TaskState.TASK_STATE_UNSPECIFIED : stateByName[given.status],
    pageSize: given.pageSize,
    pageToken: given.pageToken ?? '',
    historyLength: given.historyLength,
    statusTimestampAfter: given.statusTimestampAfter,
    includeArtifacts: given.includeArtifacts,
  };
}

const serializer = new V03PushNotificationSerializer();

/** A task in v0.3's JSON. The SDK exports its translator only as this serializer; lists are not a hot path. */
export function taskSdkToV03(value: Task): unknown {
  return JSON.parse(serializer.serialize({ payload: { $case: 'task', value } }).body);
}
