// The tokens of API keys and sign-in sessions: how they are made, what they look like, what is stored of them.
import { hash } from 'node:crypto';

const secretBytes = 32;
/** Characters of an API key that lists show. */
const displayPrefixLength = 10;

export const apiKeyPattern = /^ct_[\w-]{43}$/;
export const sessionTokenPattern = /^cs_[\w-]{43}$/;

export type RandomBytes = (size: number) => Uint8Array;

/** @returns `ct_` or `cs_`, then 32 random bytes in base64url */
export function makeSecret(prefix: 'ct_' | 'cs_', randomBytes: RandomBytes): string {
  return prefix + Buffer.from(randomBytes(secretBytes)).toString('base64url');
}

export function displayPrefix(key: string): string {
  return key.slice(0, displayPrefixLength);
}

/** SHA-256: enough for what nobody can guess. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
