// The adapter of v1.0: the SDK's transport handler in front of our request handler. v1.0 writes results alike on
// JSON-RPC and on REST, so one adapter serves both.
import { JsonRpcTransportHandler } from '@a2a-js/sdk/server';
import * as wire from '../../../contracts/a2a/a2a-v1.ts';
import { noParams } from '../../../contracts/a2a/a2a.ts';
import { actions } from '../protocol/actions.ts';
import { checkParts } from '../call/check-parts.ts';
import type { VersionAdapter } from '../protocol/version-adapter.ts';
import { callSdk, type SdkTransport } from '../call/sdk-call.ts';
import { paramsToV10 } from './params-to-v10.ts';
import type { VersionAdapterDeps } from '../v0_3/v03-adapter.ts';

const params = {
  send: wire.sendMessageRequest,
  stream: wire.sendMessageRequest,
  get: wire.getTaskRequest,
  list: wire.listTasksRequest,
  cancel: wire.taskRequest,
  subscribe: wire.taskRequest,
  push_set: wire.createPushRequest,
  push_get: wire.pushRequest,
  push_list: wire.listPushRequest,
  push_delete: wire.pushRequest,
  extended_card: noParams,
};

export function createV10Adapter({ handler, cards }: VersionAdapterDeps): VersionAdapter {
  const sdk = new JsonRpcTransportHandler(handler);
  const transport: SdkTransport = {
    version: '1.0',
    handle: (body, context) => sdk.handle(body, context),
    errorOf: (error) => JsonRpcTransportHandler.mapToJSONRPCError(error),
    // A frame of v1.0 has no member that marks it as the last one.
    frame: (result) => result,
  };
  return {
    version: '1.0',
    params,
    normalise: (_action, given) => paramsToV10(given),
    check: (action, given) => {
      if (action === 'send' || action === 'stream') checkParts(given, '1.0');
    },
    async answer(action, caller, received) {
      if (action === 'extended_card')
        return { result: await cards.extendedCard(caller, '1.0', received.context.view.forwardedOrigin) };
      return callSdk(transport, actions[action].methods['1.0'][0] ?? action, caller, received);
    },
  };
}
