// Tokens of API keys, sign-in sessions and their cookies, and sign-in codes: generation, format, and the hash that is stored.
import { hash } from 'node:crypto';

const secretBytes = 32;
/** Characters of an API key that lists show. */
const displayPrefixLength = 10;

export const apiKeyPattern = /^ct_[\w-]{43}$/;
export const sessionTokenPattern = /^cs_[\w-]{43}$/;

export const pageSecretPattern = /^cp_[\w-]{43}$/;
export const signInCodePattern = /^cc_[\w-]{43}$/;

export type RandomBytes = (size: number) => Uint8Array;

/** @returns the prefix, then 32 random bytes in base64url */
export function makeSecret(prefix: 'ct_' | 'cs_' | 'cp_' | 'cc_', randomBytes: RandomBytes): string {
  return prefix + Buffer.from(randomBytes(secretBytes)).toString('base64url');
}

export function displayPrefix(key: string): string {
  return key.slice(0, displayPrefixLength);
}

/** SHA-256 without a salt: the secrets are random and too long to guess. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
