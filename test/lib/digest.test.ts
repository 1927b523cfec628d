// Digests are SHA-256, of bytes and of texts as UTF-8.
import { expect, it } from 'vitest';
import { cspHash, sha256 } from '../../src/lib/digest.ts';

it('the digest of a text is that of its UTF-8 bytes, in each encoding', () => {
  expect(sha256('abc', 'hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  for (const encoding of ['hex', 'base64', 'base64url'] as const) {
    expect(sha256('é', encoding)).toBe(sha256(new Uint8Array([0xc3, 0xa9]), encoding));
  }
});

it('the hash of an inline script has the form of a Content-Security-Policy', () => {
  expect(cspHash('')).toBe('sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=');
});
