// Messages on the broker's channel: opaque route keys only. choices-5.

export const wakeChannel = 'switchyard:wake';

/** 128 bits in base64url: a key that cannot be guessed and reveals nothing about its route. */
const routeKey = /^[A-Za-z0-9_-]{22}$/;
/** Most keys in one message; a longer message is not from a Switchyard process. */
export const maxKeysInMessage = 256;
const maxMessage = maxKeysInMessage * 23;

export function wakeMessage(keys: readonly string[]): string {
  return keys.join(' ');
}

/** The distinct keys of a message; none if it is malformed: anyone who reaches the broker may publish on the channel. */
export function routeKeysIn(message: string): string[] {
  if (message.length > maxMessage) return [];
  const keys = message.split(' ');
  return keys.every((key) => routeKey.test(key)) ? [...new Set(keys)] : [];
}
