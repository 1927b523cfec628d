// SHA-256 digests as text.
import { hash } from 'node:crypto';

/** The SHA-256 digest of a text (as UTF-8) or bytes. */
export function sha256(data: string | Uint8Array, encoding: 'hex' | 'base64' | 'base64url'): string {
  return hash('sha256', data, encoding);
}

/** The expression that allows an inline script or style in a Content-Security-Policy. */
export function cspHash(content: string): string {
  return `sha256-${sha256(content, 'base64')}`;
}
