// Looser forms of v1.0's params, brought into the published one: names in snake_case (a proto file allows both), absent
// members written as null, and parts in the forms of v0.3 and of the document. choices §6.
import { isObject } from '../../wire/rpc-envelope.ts';
import { camelMembers, defined, maxPartsOf, plainBase64, present, pushMembers } from '../protocol/members.ts';

/** Params of any method, of which one is a push config; what is no known form stays as it is, for the schema to refuse. */
export function v10Params(given: unknown): unknown {
  if (!isObject(given)) return given;
  // Whose a call is comes from its credential alone; the SDK would refuse a call that names a tenant.
  const { tenant: _tenant, ...params } = pushMembers(given);
  if ('message' in params) params['message'] = message(params['message']);
  if ('configuration' in params) params['configuration'] = configuration(params['configuration']);
  return params;
}

function message(given: unknown): unknown {
  if (!isObject(given)) return given;
  const { kind, ...said } = camelMembers(present(given));
  const { parts } = said;
  maxPartsOf(parts);
  if (kind !== undefined && kind !== 'message') said['kind'] = kind;
  if (Array.isArray(parts)) said['parts'] = parts.map(v10Part);
  return said;
}

function configuration(given: unknown): unknown {
  if (!isObject(given)) return given;
  const members = camelMembers(present(given));
  const { taskPushNotificationConfig: push } = members;
  return isObject(push) ? { ...members, taskPushNotificationConfig: pushMembers(push) } : members;
}

/** A part of v1.0; v0.3's by its kind, and the document's `{type, content}`, become one. */
export function v10Part(given: unknown): unknown {
  if (!isObject(given)) return given;
  const part = camelMembers(presentButData(given));
  const { kind, type, content, text, data, file, ...rest } = part;
  if (type === 'text' && typeof content === 'string') return { ...rest, text: content };
  const named = kind ?? type;
  if (named === 'text') return { ...rest, text };
  if (named === 'data') return { ...rest, data };
  if ((named === 'file' || named === undefined) && isObject(file)) return { ...rest, ...filePart(file) };
  return part['raw'] === undefined ? part : { ...part, raw: plainBase64(part['raw']) };
}

function filePart(given: Record<string, unknown>): Record<string, unknown> {
  const { bytes, uri, fileWithBytes, fileWithUri, name, mimeType, mediaType } = camelMembers(present(given));
  return defined({
    raw: plainBase64(bytes ?? fileWithBytes),
    url: uri ?? fileWithUri,
    filename: name,
    mediaType: mimeType ?? mediaType,
  });
}

/** `null` is a value of data, and how some callers write any other absent member. */
function presentButData(part: Record<string, unknown>): Record<string, unknown> {
  return part['data'] === null ? { ...present(part), data: null } : present(part);
}
