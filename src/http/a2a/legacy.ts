// The older forms of the protocol that the document keeps: parts without a kind, parts {type, content}, a message
// without an id or role, and the wrapper {task, message} as the answer. document 1 §2.1 and §2.3, choices §6.
import { isObject } from '../rpc-envelope.ts';
import { invalidInput } from '../schema.ts';

/** The doors where a message id may be missing, a legacy message's role too, and where the wrapper is answered. */
const legacyPaths: readonly string[] = ['/', '/v1/a2a'];

type Members = Record<string, unknown>;

/** More parts than this are no message, and looking at each of a million would cost more than it is worth. */
const maxParts = 1000;

/** Members that say something: `null` is how some callers write an absent one. */
function present(value: Members): Members {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

function isLegacyPart(part: unknown): boolean {
  return isObject(part) && part['kind'] === undefined && 'type' in part && 'content' in part;
}

/** A part in v0.3's form; what is none of the older forms stays as it is, for the schema to refuse. */
export function modernPart(part: unknown): unknown {
  if (!isObject(part)) return part;
  const { type, content, ...rest } = present(part);
  if (rest['kind'] !== undefined) return modernFile(present(part));
  if (type === 'text' && typeof content === 'string') return { ...rest, kind: 'text', text: content };
  const kind = type ?? ['text', 'file', 'data'].find((member) => member in rest);
  return typeof kind === 'string' && content === undefined ? modernFile({ ...rest, kind }) : part;
}

function modernFile(part: Members): Members {
  const { file } = part;
  return isObject(file) ? { ...part, file: present(file) } : part;
}

function messageIn(params: unknown): Members | undefined {
  return isObject(params) && isObject(params['message']) ? params['message'] : undefined;
}

/** True for a message that gets the wrapper: it has `{type, content}` parts and came to a door that knows them. */
export function wantsWrapper(params: unknown, path: string): boolean {
  const parts = messageIn(params)?.['parts'];
  return legacyPaths.includes(path) && Array.isArray(parts) && parts.some(isLegacyPart);
}

/**
 * Params of a send in v0.3's form.
 * @param makeId makes the message's id where it may be missing
 * @throws DomainError invalid for more parts than a message may have
 */
export function modernSend(params: unknown, path: string, makeId: () => string): unknown {
  const message = messageIn(params);
  if (!isObject(params) || message === undefined) return params;
  const { configuration, ...rest } = present(params);
  const { parts, ...said } = present(message);
  if (Array.isArray(parts) && parts.length > maxParts) {
    throw invalidInput([{ path: '/params/message/parts', message: `may be at most ${maxParts}` }]);
  }
  return {
    ...rest,
    ...(isObject(configuration) ? { configuration: present(configuration) } : {}),
    ...(configuration !== undefined && !isObject(configuration) ? { configuration } : {}),
    message: {
      ...(legacyPaths.includes(path) ? { messageId: makeId() } : {}),
      ...(wantsWrapper(params, path) ? { role: 'user' } : {}),
      ...said,
      ...(parts === undefined ? {} : { parts: Array.isArray(parts) ? parts.map(modernPart) : parts }),
    },
  };
}

/** Params of the other methods: only absent members are left out. */
export function modernParams(params: unknown): unknown {
  return isObject(params) ? present(params) : params;
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
