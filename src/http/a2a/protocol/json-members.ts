// Normalises members of the protocol's JSON objects: nulls, snake_case names, push configs and base64.
import { isObject } from '../../wire/rpc-envelope.ts';
import { invalidInput } from '../../pipeline/schema.ts';

export type Members = Record<string, unknown>;

/** Without members that are null: some callers write an absent member as `null`. */
export function withoutNulls(value: Members): Members {
  if (!Object.values(value).includes(null)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

export function withoutUndefined(value: Members): Members {
  if (!Object.values(value).includes(undefined)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}

/**
 * With camelCase names. The names of a proto file may be written in snake_case; where both are present, camelCase wins.
 */
export function camelMembers(value: Members): Members {
  const names = Object.keys(value);
  if (!names.some(isSnake)) return value;
  const snake = names.filter(isSnake);
  const renamed = snake.map((name) => [
    name.replace(/(?<=[a-z])_([a-z])/g, (_, letter) => letter.toUpperCase()),
    value[name],
  ]);
  const rest = Object.entries(value).filter(([name]) => !snake.includes(name));
  return Object.fromEntries([...renamed, ...rest]);
}

const isSnake = (name: string): boolean => name.includes('_');

/** A push config, and its `authentication`, without nulls and with camelCase names. */
export function normalisePushConfig(given: Members): Members {
  const config = camelMembers(withoutNulls(given));
  const { authentication } = config;
  return isObject(authentication) ? { ...config, authentication: camelMembers(withoutNulls(authentication)) } : config;
}

/**
 * Base64 with the standard alphabet and padding, which is the form we store. The JSON of a proto file also allows the
 * URL-safe alphabet and missing padding; clients in Go and Python send both. Text that is not base64 stays invalid.
 */
export function toStandardBase64(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const isUrlSafe = value.includes('-') || value.includes('_');
  const text = isUrlSafe ? value.replaceAll('-', '+').replaceAll('_', '/') : value;
  const remainder = text.length % 4;
  return remainder === 2 || remainder === 3 ? text.padEnd(text.length + 4 - remainder, '=') : text;
}

/** Checked before the parts are normalised: walking a million parts would cost too much. */
const maxParts = 1000;

/** @throws DomainError invalid for more parts than a message may have */
export function checkPartCount(parts: unknown): void {
  if (Array.isArray(parts) && parts.length > maxParts) {
    throw invalidInput([{ path: '/params/message/parts', message: `may be at most ${maxParts}` }]);
  }
}

/** The message in the params of a send; undefined when it is missing or not an object. */
export function findMessage(params: unknown): Members | undefined {
  return isObject(params) && isObject(params['message']) ? params['message'] : undefined;
}
