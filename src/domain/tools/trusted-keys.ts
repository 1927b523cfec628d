// Parses the public keys that an operator trusts to sign tools, from TOOL_TRUSTED_KEYS. choices-3.
import { createPublicKey, type KeyObject } from 'node:crypto';
import { exactBase64 } from '../../lib/json/exact-base64.ts';

export interface TrustedKey {
  /** The operator's name for it; `key-1`, `key-2` … by position when it has none. */
  readonly name: string;
  readonly key: KeyObject;
}

const keyBytes = 32;

/** Whether a text is `name:base64-of-32-bytes`, the name optional. */
export function isTrustedKey(text: string): boolean {
  return parseTrustedKey(text) !== undefined;
}

/** @param texts each as `isTrustedKey` accepts it; others are left out */
export function parseTrustedKeys(texts: readonly string[]): TrustedKey[] {
  return texts.flatMap((text, i) => {
    const parsed = parseTrustedKey(text);
    return parsed === undefined ? [] : [{ name: parsed.name ?? `key-${i + 1}`, key: parsed.key }];
  });
}

function parseTrustedKey(text: string): { name: string | undefined; key: KeyObject } | undefined {
  const [, name, base64 = ''] = /^(?:([\w.@-]{1,64}):)?([A-Za-z0-9+/]{43}=)$/.exec(text) ?? [];
  const bytes = exactBase64(base64, keyBytes);
  if (bytes === undefined) return undefined;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') };
  return { name, key: createPublicKey({ key: jwk, format: 'jwk' }) };
}
