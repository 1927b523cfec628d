// Looser forms of v1.0's params, brought into the published one: names in snake_case (a proto file allows both), absent
// members written as null, and parts in the forms of v0.3 and of the document. choices-6.
import { isObject } from '../../wire/rpc-envelope.ts';
import {
  camelMembers,
  withoutUndefined,
  checkPartCount,
  toStandardBase64,
  withoutNulls,
  normalisePushConfig,
} from '../protocol/json-members.ts';

/** Params of any method, of which one is a push config; what is no known form stays as it is, for the schema to refuse. */
export function paramsToV10(given: unknown): unknown {
  if (!isObject(given)) return given;
  // Whose a call is comes from its credential alone; the SDK would refuse a call that names a tenant.
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

/** A part of v1.0; v0.3's by its kind, and the document's `{type, content}`, become one. */
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

/** `null` is a value of data, and how some callers write any other absent member. */
function withoutNullsExceptData(part: Record<string, unknown>): Record<string, unknown> {
  return part['data'] === null ? { ...withoutNulls(part), data: null } : withoutNulls(part);
}
