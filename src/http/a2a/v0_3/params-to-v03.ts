// Normalises the params of JSON-RPC calls to v0.3: accepts parts without a kind, parts {type, content}, and messages
// without an id or role; and builds the legacy answer {task, message}. core-2.1 and core-2.3, choices-6.
import { isObject } from '../../wire/rpc-envelope.ts';
import {
  withoutUndefined,
  checkPartCount,
  findMessage,
  withoutNulls,
  normalisePushConfig,
  type Members,
} from '../protocol/json-members.ts';

/** The paths that answer legacy messages with the wrapper {task, message}. */
const wrapperPaths: readonly string[] = ['/', '/v1/a2a'];
/** The REST base path. It accepts looser forms only from callers that name no version. */
export const restBasePath = '/a2a/rest';
/** The paths that accept messages without an id, and legacy messages without a role. */
const lenientPaths: readonly string[] = [...wrapperPaths, restBasePath];

function isLegacyPart(part: unknown): boolean {
  return isObject(part) && part['kind'] === undefined && 'type' in part && 'content' in part;
}

/**
 * A part in v0.3's form, from an older form or from v1.0's. Unknown forms stay as they are, and the schema rejects
 * them.
 */
export function partToV03(part: unknown): unknown {
  if (!isObject(part)) return part;
  const { type, content, ...rest } = withoutNulls(part);
  if (rest['kind'] !== undefined) return filePartToV03(withoutNulls(part));
  if (type === 'text' && typeof content === 'string') return { ...rest, kind: 'text', text: content };
  if (type === undefined && ('raw' in rest || 'url' in rest)) return filePartV10ToV03(rest);
  const kind = type ?? ['text', 'file', 'data'].find((member) => member in rest);
  return typeof kind === 'string' && content === undefined ? filePartToV03({ ...rest, kind }) : part;
}

/** In v1.0 the members of a file are members of the part. */
function filePartV10ToV03({ raw, url, filename, mediaType, ...rest }: Members): Members {
  const file = { bytes: raw, uri: url, name: filename, mimeType: mediaType };
  return { ...rest, kind: 'file', file: withoutUndefined(file) };
}

function filePartToV03(part: Members): Members {
  const { file } = part;
  return isObject(file) ? { ...part, file: withoutNulls(file) } : part;
}

function hasLegacyParts(params: unknown): boolean {
  const parts = findMessage(params)?.['parts'];
  return Array.isArray(parts) && parts.some(isLegacyPart);
}

/** True when the answer needs the legacy wrapper: the message has `{type, content}` parts, and the path supports it. */
export function wantsLegacyWrapper(params: unknown, path: string): boolean {
  return wrapperPaths.includes(path) && hasLegacyParts(params);
}

/**
 * Params of a send in v0.3's form.
 * @param makeId makes an id for a message without one, on paths that accept that
 * @throws DomainError invalid for more parts than a message may have
 */
export function sendParamsToV03(params: unknown, path: string, makeId: () => string): unknown {
  const message = findMessage(params);
  if (!isObject(params) || message === undefined) return params;
  const { configuration, ...rest } = withoutNulls(params);
  const { parts, ...messageFields } = withoutNulls(message);
  checkPartCount(parts);
  return {
    ...rest,
    ...(isObject(configuration) ? { configuration: withoutNullPushMembers(configuration) } : {}),
    ...(configuration !== undefined && !isObject(configuration) ? { configuration } : {}),
    message: {
      ...(lenientPaths.includes(path) ? { messageId: makeId() } : {}),
      ...(lenientPaths.includes(path) && hasLegacyParts(params) ? { role: 'user' } : {}),
      ...messageFields,
      ...(parts === undefined ? {} : { parts: Array.isArray(parts) ? parts.map(partToV03) : parts }),
    },
  };
}

/** Params of the other methods, without null members. */
export function paramsToV03(params: unknown): unknown {
  return isObject(params) ? withoutNullPushMembers(params) : params;
}

/** Without null members, in the push config too. */
function withoutNullPushMembers(given: Members): Members {
  const members = withoutNulls(given);
  const { pushNotificationConfig: push } = members;
  return isObject(push) ? { ...members, pushNotificationConfig: normalisePushConfig(push) } : members;
}

/** The legacy wrapper: the task, and beside it its status message in the legacy form. */
export function taskV03ToLegacyWrapper(task: unknown): unknown {
  if (!isObject(task) || !isObject(task['status'])) return task;
  const { state, message } = task['status'];
  const parts = isObject(message) && Array.isArray(message['parts']) ? message['parts'] : [];
  const texts = parts.flatMap((part: unknown) =>
    isObject(part) && typeof part['text'] === 'string' ? [{ type: 'text', content: part['text'] }] : [],
  );
  const note = { type: 'text', content: `Task ${String(task['id'])} is ${String(state)}.` };
  return { task, message: { role: 'agent', parts: texts.length === 0 ? [note] : texts } };
}
