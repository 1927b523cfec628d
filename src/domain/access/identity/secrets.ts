// Tokens of API keys and sign-in sessions: generation, format, and the hash that is stored.
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

/** SHA-256 without a salt: the secrets are random and too long to guess. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
