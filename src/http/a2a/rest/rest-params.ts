// Params of an action from what REST brings: ids in the path, filters in the query, the rest in the body.
import { unreachable } from '../../../lib/net/unreachable.ts';
import { isObject } from '../../wire/rpc-envelope.ts';
import type { ActionName } from '../protocol/actions.ts';
import type { Members } from '../protocol/json-members.ts';
import type { WireVersion } from '../protocol/versions.ts';

export interface RestInput {
  readonly ids: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** What the path says counts, whatever query and body say beside it. */
export function buildRestParams(action: ActionName, version: WireVersion, { ids, query, body }: RestInput): Members {
  const { id, config_id: configId } = isObject(ids) ? ids : {};
  const queryParams = isObject(query) ? query : {};
  const bodyParams = isObject(body) ? body : {};
  const isV03 = version === '0.3';
  switch (action) {
    case 'send':
    case 'stream':
      return bodyParams;
    case 'list':
      return queryParams;
    case 'get':
      return { ...queryParams, id };
    case 'cancel':
    case 'subscribe':
      return { ...bodyParams, id };
    case 'push_set': {
      // The proto file of v0.3 has the config alone as the body, and its id in the query.
      const configIdInQuery = isV03 ? (queryParams['configId'] ?? queryParams['config_id']) : undefined;
      return { ...(configIdInQuery === undefined ? {} : { configId: configIdInQuery }), ...bodyParams, taskId: id };
    }
    case 'push_list':
      return isV03 ? { id } : { ...queryParams, taskId: id };
    case 'push_get':
    case 'push_delete':
      return isV03 ? { id, pushNotificationConfigId: configId } : { taskId: id, id: configId };
    case 'extended_card':
      return {};
    default:
      return unreachable(action);
  }
}
