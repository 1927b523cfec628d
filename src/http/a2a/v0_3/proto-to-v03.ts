// Translates params from the JSON of v0.3's proto file, which REST clients send, to v0.3's own JSON. Accepts camelCase
// and snake_case names, and v0.3's own JSON unchanged. The schema rejects unknown forms. a2a v0.3.0 proto.
import { isObject } from '../../wire/rpc-envelope.ts';
import type { ActionName } from '../protocol/actions.ts';
import {
  camelMembers,
  withoutUndefined,
  checkPartCount,
  toStandardBase64,
  withoutNulls,
  normalisePushConfig,
  type Members,
} from '../protocol/json-members.ts';

/** Params of an action in v0.3's own JSON. @throws DomainError invalid for more parts than a message may have */
export function protoToV03(action: ActionName, given: unknown): unknown {
  if (!isObject(given)) return given;
  const params = camelMembers(withoutNulls(given));
  if (action === 'send' || action === 'stream') return sendParamsProtoToV03(params);
  if (action === 'push_set') return pushConfigProtoToV03(params);
  if (action === 'list') return listParamsProtoToV03(params);
  return params;
}

function sendParamsProtoToV03({ message, request, configuration, ...rest }: Members): Members {
  return withoutUndefined({
    ...rest,
    message: messageProtoToV03(message ?? request),
    configuration: configurationProtoToV03(configuration),
  });
}

const rolesV03: Members = { ROLE_USER: 'user', ROLE_AGENT: 'agent' };

function messageProtoToV03(given: unknown): unknown {
  if (!isObject(given)) return given;
  const { role, content, parts = content, ...message } = camelMembers(withoutNulls(given));
  checkPartCount(parts);
  return withoutUndefined({
    ...message,
    role: typeof role === 'string' ? (rolesV03[role] ?? role) : role,
    parts: Array.isArray(parts) ? parts.map(partProtoToV03) : parts,
  });
}

function partProtoToV03(given: unknown): unknown {
  if (!isObject(given)) return given;
  const part = camelMembers(given);
  const { kind, data, file } = part;
  if (kind !== undefined) return part;
  // In the proto file, the data of a data part has one more level.
  if (isObject(data) && Object.keys(data).length === 1 && isObject(data['data']))
    return { ...part, data: data['data'] };
  return isObject(file) ? { ...part, file: fileProtoToV03(file) } : part;
}

function fileProtoToV03(given: Members): Members {
  const { fileWithBytes: bytes, fileWithUri: uri, ...file } = camelMembers(withoutNulls(given));
  return { ...file, ...withoutUndefined({ bytes: toStandardBase64(bytes), uri }) };
}

function configurationProtoToV03(given: unknown): unknown {
  if (!isObject(given)) return given;
  const { pushNotification, ...rest } = camelMembers(withoutNulls(given));
  const push = rest['pushNotificationConfig'] ?? pushNotification;
  return push === undefined
    ? rest
    : { ...rest, pushNotificationConfig: isObject(push) ? normalisePushConfig(push) : push };
}

/**
 * Accepts `{config_id, config: {push_notification_config}}`, the inner object alone, or the bare configuration. The id
 * is the one inside it, or `config_id`, or the last part of its resource name.
 */
function pushConfigProtoToV03({ taskId, configId, config, parent: _parent, ...rest }: Members): Members {
  const outer = isObject(config) ? camelMembers(withoutNulls(config)) : rest;
  const inner = outer['pushNotificationConfig'] ?? outer;
  if (!isObject(inner)) return withoutUndefined({ taskId, pushNotificationConfig: inner });
  const { name: _name, ...push } = normalisePushConfig(inner);
  const ids = [push['id'], configId, pushConfigIdIn(outer['name'])];
  return withoutUndefined({ taskId, pushNotificationConfig: withoutUndefined({ ...push, id: ids.find(isPresent) }) });
}

/** tasks/{id}/pushNotificationConfigs/{id} */
function pushConfigIdIn(name: unknown): string | undefined {
  return typeof name === 'string' ? /^tasks\/[^/]+\/pushNotificationConfigs\/(.+)$/.exec(name)?.[1] : undefined;
}

const isPresent = (id: unknown): boolean => id !== undefined && id !== '';

/** Translates the states of the proto file, which spells `cancelled` with two l. */
function listParamsProtoToV03({ status, ...rest }: Members): Members {
  const stateName = typeof status === 'string' && status.startsWith('TASK_STATE_') ? status.slice(11) : undefined;
  const state = stateName?.toLowerCase().replaceAll('_', '-').replace('cancelled', 'canceled');
  return state === 'unspecified' ? rest : withoutUndefined({ ...rest, status: state ?? status });
}
