// Normalises params to v1.0: accepts snake_case names (a proto file allows both), absent members written as null, and
// parts in the form of v0.3 or the legacy form {type, content}. choices-6.
import { isObject } from '../../wire/rpc-envelope.ts';
import {
  camelMembers,
  withoutUndefined,
  checkPartCount,
  toStandardBase64,
  withoutNulls,
  normalisePushConfig,
} from '../protocol/json-members.ts';

/** Params of any method; those of one method are a push config. Unknown forms stay, and the schema rejects them. */
export function paramsToV10(given: unknown): unknown {
  if (!isObject(given)) return given;
  // The tenant comes from the credential alone, and the SDK rejects a call that names one.
  const { tenant: _tenant, ...params } = normalisePushConfig(given);
  if ('message' in params) params['message'] = messageToV10(params['message']);
  if ('configuration' in params) params['configuration'] = configurationToV10(params['configuration']);
  return params;
}

function messageToV10(given: unknown): unknown {
  if (!isObject(given)) return given;
  const { kind, ...message } = camelMembers(withoutNulls(given));
  const { parts } = message;
  checkPartCount(parts);
  if (kind !== undefined && kind !== 'message') message['kind'] = kind;
  if (Array.isArray(parts)) message['parts'] = parts.map(partToV10);
  return message;
}

function configurationToV10(given: unknown): unknown {
  if (!isObject(given)) return given;
  const members = camelMembers(withoutNulls(given));
  const { taskPushNotificationConfig: push } = members;
  return isObject(push) ? { ...members, taskPushNotificationConfig: normalisePushConfig(push) } : members;
}

/** A part in v1.0's form, from v0.3's or from the legacy form `{type, content}`. */
export function partToV10(given: unknown): unknown {
  if (!isObject(given)) return given;
  const part = camelMembers(withoutNullsExceptData(given));
  const { kind, type, content, text, data, file, ...rest } = part;
  if (type === 'text' && typeof content === 'string') return { ...rest, text: content };
  const partKind = kind ?? type;
  if (partKind === 'text') return { ...rest, text };
  if (partKind === 'data') return { ...rest, data };
  if ((partKind === 'file' || partKind === undefined) && isObject(file)) return { ...rest, ...fileToV10(file) };
  return part['raw'] === undefined ? part : { ...part, raw: toStandardBase64(part['raw']) };
}

function fileToV10(given: Record<string, unknown>): Record<string, unknown> {
  const { bytes, uri, fileWithBytes, fileWithUri, name, mimeType, mediaType } = camelMembers(withoutNulls(given));
  return withoutUndefined({
    raw: toStandardBase64(bytes ?? fileWithBytes),
    url: uri ?? fileWithUri,
    filename: name,
    mediaType: mimeType ?? mediaType,
  });
}

/** `null` is a valid value of `data`; in every other member it means absent. */
function withoutNullsExceptData(part: Record<string, unknown>): Record<string, unknown> {
  return part['data'] === null ? { ...withoutNulls(part), data: null } : withoutNulls(part);
}
