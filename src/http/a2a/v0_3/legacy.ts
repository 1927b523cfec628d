// The older forms of the protocol that the document keeps: parts without a kind, parts {type, content}, a message
// without an id or role, and the wrapper {task, message} as the answer. document 1 §2.1 and §2.3, choices §6.
import { isObject } from '../../wire/rpc-envelope.ts';
import { defined, maxPartsOf, messageIn, present, pushMembers, type Members } from '../protocol/members.ts';

/** The doors where the wrapper is answered. */
const wrapperDoors: readonly string[] = ['/', '/v1/a2a'];
/** REST as the document writes it; a caller who names a version is held to that version. */
export const documentDoor = '/a2a/rest';
/** The doors where a message id may be missing, and a legacy message's role too. */
const lenientDoors: readonly string[] = [...wrapperDoors, documentDoor];

function isLegacyPart(part: unknown): boolean {
  return isObject(part) && part['kind'] === undefined && 'type' in part && 'content' in part;
}

/** A part in v0.3's form; what is none of the older forms, nor v1.0's, stays as it is, for the schema to refuse. */
export function modernPart(part: unknown): unknown {
  if (!isObject(part)) return part;
  const { type, content, ...rest } = present(part);
  if (rest['kind'] !== undefined) return modernFile(present(part));
  if (type === 'text' && typeof content === 'string') return { ...rest, kind: 'text', text: content };
  if (type === undefined && ('raw' in rest || 'url' in rest)) return fileOf(rest);
  const kind = type ?? ['text', 'file', 'data'].find((member) => member in rest);
  return typeof kind === 'string' && content === undefined ? modernFile({ ...rest, kind }) : part;
}

/** v1.0 writes a file as members of the part itself. */
function fileOf({ raw, url, filename, mediaType, ...rest }: Members): Members {
  const file = { bytes: raw, uri: url, name: filename, mimeType: mediaType };
  return { ...rest, kind: 'file', file: defined(file) };
}

function modernFile(part: Members): Members {
  const { file } = part;
  return isObject(file) ? { ...part, file: present(file) } : part;
}

function hasLegacyParts(params: unknown): boolean {
  const parts = messageIn(params)?.['parts'];
  return Array.isArray(parts) && parts.some(isLegacyPart);
}

/** True for a message that gets the wrapper: it has `{type, content}` parts and came to a door that knows them. */
export function wantsWrapper(params: unknown, door: string): boolean {
  return wrapperDoors.includes(door) && hasLegacyParts(params);
}

/**
 * Params of a send in v0.3's form.
 * @param makeId makes the message's id where it may be missing
 * @throws DomainError invalid for more parts than a message may have
 */
export function modernSend(params: unknown, door: string, makeId: () => string): unknown {
  const message = messageIn(params);
  if (!isObject(params) || message === undefined) return params;
  const { configuration, ...rest } = present(params);
  const { parts, ...said } = present(message);
  maxPartsOf(parts);
  return {
    ...rest,
    ...(isObject(configuration) ? { configuration: presentPush(configuration) } : {}),
    ...(configuration !== undefined && !isObject(configuration) ? { configuration } : {}),
    message: {
      ...(lenientDoors.includes(door) ? { messageId: makeId() } : {}),
      ...(lenientDoors.includes(door) && hasLegacyParts(params) ? { role: 'user' } : {}),
      ...said,
      ...(parts === undefined ? {} : { parts: Array.isArray(parts) ? parts.map(modernPart) : parts }),
    },
  };
}

/** Params of the other methods: only absent members are left out. */
export function modernParams(params: unknown): unknown {
  return isObject(params) ? presentPush(params) : params;
}

/** Without absent members, of the push config among them neither. */
function presentPush(given: Members): Members {
  const members = present(given);
  const { pushNotificationConfig: push } = members;
  return isObject(push) ? { ...members, pushNotificationConfig: pushMembers(push) } : members;
}

/** The wrapper around a task: what it has to say stands beside it, in the older form. */
export function wrapped(task: unknown): unknown {
  if (!isObject(task) || !isObject(task['status'])) return task;
  const { state, message } = task['status'];
  const parts = isObject(message) && Array.isArray(message['parts']) ? message['parts'] : [];
  const said = parts.flatMap((part: unknown) =>
    isObject(part) && typeof part['text'] === 'string' ? [{ type: 'text', content: part['text'] }] : [],
  );
  const note = { type: 'text', content: `Task ${String(task['id'])} is ${String(state)}.` };
  return { task, message: { role: 'agent', parts: said.length === 0 ? [note] : said } };
}
