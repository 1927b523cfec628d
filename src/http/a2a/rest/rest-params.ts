// Builds the params of an action from a REST request: ids from the path, filters from the query, the rest from the
// body.
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

/** Ids in the path win over those in the query and the body. */
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
      // In the proto file of v0.3 the body is the config alone, and its id is in the query.
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
