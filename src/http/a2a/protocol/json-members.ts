// Members of the protocol's JSON objects as different callers write them.
import { isObject } from '../../wire/rpc-envelope.ts';
import { invalidInput } from '../../pipeline/schema.ts';

export type Members = Record<string, unknown>;

/** Members that say something: `null` is how some callers write an absent one. */
export function withoutNulls(value: Members): Members {
  if (!Object.values(value).includes(null)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

/** Without members that are undefined. */
export function withoutUndefined(value: Members): Members {
  if (!Object.values(value).includes(undefined)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}

/** Names of a proto file may be written in snake_case; where both are there, the camelCase one counts. */
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

/** A push config's members, and those of its authentication; an empty one of these names nothing, as none does. */
export function normalisePushConfig(given: Members): Members {
  const config = camelMembers(withoutNulls(given));
  const { authentication } = config;
  return isObject(authentication) ? { ...config, authentication: camelMembers(withoutNulls(authentication)) } : config;
}

/**
 * Bytes of a proto file in the one spelling that is kept: its JSON takes the alphabet of URLs too, and a text without
 * its padding (clients in Go and Python send both). What is no base64 at all stays so.
 */
export function toStandardBase64(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const isUrlSafe = value.includes('-') || value.includes('_');
  const text = isUrlSafe ? value.replaceAll('-', '+').replaceAll('_', '/') : value;
  const remainder = text.length % 4;
  return remainder === 2 || remainder === 3 ? text.padEnd(text.length + 4 - remainder, '=') : text;
}

/** More parts than this are no message, and looking at each of a million would cost more than it is worth. */
const maxParts = 1000;

/** @throws DomainError invalid for more parts than a message may have */
export function checkPartCount(parts: unknown): void {
  if (Array.isArray(parts) && parts.length > maxParts) {
    throw invalidInput([{ path: '/params/message/parts', message: `may be at most ${maxParts}` }]);
  }
}

/** The message in the params of a send, if it is one. */
export function findMessage(params: unknown): Members | undefined {
  return isObject(params) && isObject(params['message']) ? params['message'] : undefined;
}
