// The signatures of a webhook: the document's over the bytes, Standard Webhooks' over id, time and bytes.
// From node:crypto: the library for the second scheme hashes in JavaScript, on the event loop, at a fraction of the
// speed; the tests hold ours against it.
import { createHmac, createSecretKey } from 'node:crypto';

const decodedPrefix = 'whsec_';
const maxSecretBytes = 1024;

/** A secret of the form `whsec_…` is base64 of its key; any other is its own key. choices-8. */
function decodeSecret(secret: string): Buffer {
  return secret.startsWith(decodedPrefix)
    ? Buffer.from(secret.slice(decodedPrefix.length), 'base64')
    : Buffer.from(secret);
}

/** Whether a text can be a signing secret: without blanks and commas, and decodable where its form says so. */
export function isSigningSecret(secret: string): boolean {
  // A comma would end it where several stand in one setting.
  if (!/^[\x21-\x2b\x2d-\x7e]+$/.test(secret)) return false;
  if (secret.startsWith(decodedPrefix)) {
    const text = secret.slice(decodedPrefix.length);
    const plain = text.replace(/=+$/, '');
    if (Buffer.from(text, 'base64').toString('base64').replace(/=+$/, '') !== plain) return false;
  }
  const { length } = decodeSecret(secret);
  return length > 0 && length <= maxSecretBytes;
}

export interface Signable {
  readonly id: string;
  /** Unix seconds of this attempt. */
  readonly atSeconds: number;
  readonly body: string;
}

/**
 * Headers of one attempt. Without a secret there are no signatures; the id and the time are always there, for a
 * receiver knows by the id what it has had already. core-5.9, choices-8.
 */
export type Signer = (message: Signable) => Record<string, string>;

/**
 * Made once for many messages: to make a key costs more than to use it.
 * @param secrets the first signs the document's header; each is in the multi-signature
 */
export function createSigner(secrets: readonly string[]): Signer {
  const [first] = secrets;
  // The secret as it stands, whatever its form.
  const plain = first === undefined ? undefined : createSecretKey(Buffer.from(first));
  const keys = secrets.map((secret) => createSecretKey(decodeSecret(secret)));
  return ({ id, atSeconds, body }) => {
    const time = String(atSeconds);
    const headers: Record<string, string> = {
      'webhook-id': id,
      'webhook-timestamp': time,
      'x-service-timestamp': time,
    };
    if (plain === undefined) return headers;
    headers['x-service-signature'] = `sha256=${createHmac('sha256', plain).update(body).digest('hex')}`;
    headers['webhook-signature'] = keys
      .map((key) => `v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`)
      .join(' ');
    return headers;
  };
}
