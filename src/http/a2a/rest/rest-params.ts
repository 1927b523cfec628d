// Params of an action from what REST brings: ids in the path, filters in the query, the rest in the body.
import { unreachable } from '../../../lib/net/unreachable.ts';
import { isObject } from '../../wire/rpc-envelope.ts';
import type { ActionName } from '../protocol/actions.ts';
import type { Members } from '../protocol/members.ts';
import type { WireVersion } from '../protocol/versions.ts';

export interface Brought {
  readonly ids: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** What the path says counts, whatever query and body say beside it. */
export function restParams(action: ActionName, version: WireVersion, { ids, query, body }: Brought): Members {
  const { id, config_id: configId } = isObject(ids) ? ids : {};
  const asked = isObject(query) ? query : {};
  const given = isObject(body) ? body : {};
  const older = version === '0.3';
  switch (action) {
    case 'send':
    case 'stream':
      return given;
    case 'list':
      return asked;
    case 'get':
      return { ...asked, id };
    case 'cancel':
    case 'subscribe':
      return { ...given, id };
    case 'push_set': {
      // The proto file of v0.3 has the config alone as the body, and its id in the query.
      const asId = older ? (asked['configId'] ?? asked['config_id']) : undefined;
      return { ...(asId === undefined ? {} : { configId: asId }), ...given, taskId: id };
    }
    case 'push_list':
      return older ? { id } : { ...asked, taskId: id };
    case 'push_get':
    case 'push_delete':
      return older ? { id, pushNotificationConfigId: configId } : { taskId: id, id: configId };
    case 'extended_card':
      return {};
    default:
      return unreachable(action);
  }
}
