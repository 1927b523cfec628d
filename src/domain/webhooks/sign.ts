// Signatures of a webhook: `X-Service-Signature` over the body, and Standard Webhooks over id, time and body.
// Both use node:crypto: the Standard Webhooks library hashes in JavaScript on the event loop, at a fraction of the
// speed. The tests compare our signatures with that library's.
import { createHmac, createSecretKey } from 'node:crypto';

const decodedPrefix = 'whsec_';
const maxSecretBytes = 1024;

/** A secret of the form `whsec_…` holds its key in base64; any other secret is the key itself. choices-8. */
function decodeSecret(secret: string): Buffer {
  return secret.startsWith(decodedPrefix)
    ? Buffer.from(secret.slice(decodedPrefix.length), 'base64')
    : Buffer.from(secret);
}

/** Whether a text is a valid signing secret: no spaces or commas, and valid base64 after `whsec_`. */
export function isSigningSecret(secret: string): boolean {
  // Commas separate secrets in a setting.
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
 * Makes the headers of one attempt. Without a secret there are no signatures. The id and the time are always present:
 * receivers use the id to detect duplicates. core-5.9, choices-8.
 */
export type Signer = (message: Signable) => Record<string, string>;

/**
 * Create a signer once and use it for many messages: creating a key costs more than using it.
 * @param secrets the first makes `X-Service-Signature`; each is in the multi-signature
 */
export function createSigner(secrets: readonly string[]): Signer {
  const [first] = secrets;
  // The single signature uses the secret's text as the key, without decoding it.
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
