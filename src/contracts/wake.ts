// The broker's channel: what a message on it may be. Route keys alone, opaque to who does not know them. choices-5.

export const wakeChannel = 'switchyard:wake';

/** 128 bits in base64url: a key that nobody guesses, and that says nothing of what it stands for. */
const routeKey = /^[A-Za-z0-9_-]{22}$/;
/** Keys in one message; what is longer is nobody's of ours. */
export const maxKeysInMessage = 256;
const maxMessage = maxKeysInMessage * 23;

export function wakeMessage(keys: readonly string[]): string {
  return keys.join(' ');
}

/** The keys of a message, each once; none of one that is not ours: anybody who reaches the broker may write there. */
export function routeKeysIn(message: string): string[] {
  if (message.length > maxMessage) return [];
  const keys = message.split(' ');
  return keys.every((key) => routeKey.test(key)) ? [...new Set(keys)] : [];
}
