// v0.3 in the JSON of its proto file, as REST clients send it → v0.3's own JSON. Takes both namings of a proto file,
// and v0.3's own JSON as it is: what is no known form stays, for the schema to refuse. a2a v0.3.0 proto.
import { isObject } from '../../wire/rpc-envelope.ts';
import type { ActionName } from '../protocol/actions.ts';
import {
  camelMembers,
  defined,
  maxPartsOf,
  plainBase64,
  present,
  pushMembers,
  type Members,
} from '../protocol/members.ts';

/** Params of an action in v0.3's own JSON. @throws DomainError invalid for more parts than a message may have */
export function fromProto(action: ActionName, given: unknown): unknown {
  if (!isObject(given)) return given;
  const params = camelMembers(present(given));
  if (action === 'send' || action === 'stream') return sendIn(params);
  if (action === 'push_set') return pushIn(params);
  if (action === 'list') return listIn(params);
  return params;
}

function sendIn({ message, request, configuration, ...rest }: Members): Members {
  return defined({ ...rest, message: messageIn(message ?? request), configuration: configurationIn(configuration) });
}

const roles: Members = { ROLE_USER: 'user', ROLE_AGENT: 'agent' };

function messageIn(given: unknown): unknown {
  if (!isObject(given)) return given;
  const { role, content, parts = content, ...said } = camelMembers(present(given));
  maxPartsOf(parts);
  return defined({
    ...said,
    role: typeof role === 'string' ? (roles[role] ?? role) : role,
    parts: Array.isArray(parts) ? parts.map(partIn) : parts,
  });
}

function partIn(given: unknown): unknown {
  if (!isObject(given)) return given;
  const part = camelMembers(given);
  const { kind, data, file } = part;
  if (kind !== undefined) return part;
  // A data part of the proto file wraps its data once more.
  if (isObject(data) && Object.keys(data).length === 1 && isObject(data['data']))
    return { ...part, data: data['data'] };
  return isObject(file) ? { ...part, file: fileIn(file) } : part;
}

function fileIn(given: Members): Members {
  const { fileWithBytes: bytes, fileWithUri: uri, ...file } = camelMembers(present(given));
  return { ...file, ...defined({ bytes: plainBase64(bytes), uri }) };
}

function configurationIn(given: unknown): unknown {
  if (!isObject(given)) return given;
  const { pushNotification, ...rest } = camelMembers(present(given));
  const push = rest['pushNotificationConfig'] ?? pushNotification;
  return push === undefined ? rest : { ...rest, pushNotificationConfig: isObject(push) ? pushMembers(push) : push };
}

/**
 * `{config_id, config: {push_notification_config}}`, the inner object alone, or the bare configuration. Its id is the one
 * inside, or the one beside it, or the last part of its resource name.
 */
function pushIn({ taskId, configId, config, parent: _parent, ...rest }: Members): Members {
  const outer = isObject(config) ? camelMembers(present(config)) : rest;
  const inner = outer['pushNotificationConfig'] ?? outer;
  if (!isObject(inner)) return defined({ taskId, pushNotificationConfig: inner });
  const { name: _of, ...push } = pushMembers(inner);
  const ids = [push['id'], configId, idIn(outer['name'])];
  return defined({ taskId, pushNotificationConfig: defined({ ...push, id: ids.find(isSaid) }) });
}

/** tasks/{id}/pushNotificationConfigs/{id} */
function idIn(name: unknown): string | undefined {
  return typeof name === 'string' ? /^tasks\/[^/]+\/pushNotificationConfigs\/(.+)$/.exec(name)?.[1] : undefined;
}

const isSaid = (id: unknown): boolean => id !== undefined && id !== '';

/** The states of the proto file; it spells one of them its own way. */
function listIn({ status, ...rest }: Members): Members {
  const word = typeof status === 'string' && status.startsWith('TASK_STATE_') ? status.slice(11) : undefined;
  const state = word?.toLowerCase().replaceAll('_', '-').replace('cancelled', 'canceled');
  return state === 'unspecified' ? rest : defined({ ...rest, status: state ?? status });
}
