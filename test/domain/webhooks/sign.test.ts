// Signatures of webhooks: verified by an independent library, and by hand as the document says.
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { isSigningSecret, createSigner } from '../../../src/domain/webhooks/sign.ts';

const nowSeconds = (): number => Math.floor(Date.now() / 1000);
const decoded = `whsec_${Buffer.from('a key of some thirty-two bytes!!').toString('base64')}`;

describe('a signed webhook', () => {
  it('is verified by the Standard Webhooks library under each secret, for any body [choices-8.2, choices-8.3, choices-8.5]', () => {
    fc.assert(
      fc.property(fc.json(), fc.uuid(), (body, id) => {
        const headers = createSigner([decoded, 'plain text'])({ id, atSeconds: nowSeconds(), body });
        for (const library of [new Webhook(decoded), new Webhook('plain text', { format: 'raw' })]) {
          expect(() => library.verify(body, headers, { jsonParse: false })).not.toThrow();
        }
      }),
      { numRuns: 200 },
    );
  });

  it('has X-Service-Signature: the hex HMAC of the body, keyed by the text of the first secret [core-5.9, core-5.9.2, choices-8.1]', () => {
    const body = '{"ä":"\u{1f600}"}';
    const atSeconds = nowSeconds();
    for (const secret of ['plain-text', decoded]) {
      const headers = createSigner([secret, 'another'])({ id: 'x', atSeconds, body });
      const expected = createHmac('sha256', Buffer.from(secret)).update(Buffer.from(body)).digest('hex');
      expect(headers).toMatchObject({
        'x-service-signature': `sha256=${expected}`,
        'x-service-timestamp': String(atSeconds),
        'webhook-timestamp': String(atSeconds),
        'webhook-id': 'x',
      });
    }
  });

  it('does not verify with a changed byte, time or id, or with another secret', () => {
    const signedInput = { id: 'x', atSeconds: nowSeconds(), body: '{"a":1}' };
    const headers = createSigner([decoded])(signedInput);
    const verify = (body: string, changed: Record<string, string>): unknown =>
      new Webhook(decoded).verify(body, { ...headers, ...changed });
    expect(verify(signedInput.body, {})).toEqual({ a: 1 });
    expect(() => verify('{"a":2}', {})).toThrow('No matching signature');
    expect(() => verify(signedInput.body, { 'webhook-timestamp': String(signedInput.atSeconds - 1) })).toThrow(
      'No matching',
    );
    expect(() => verify(signedInput.body, { 'webhook-id': 'y' })).toThrow('No matching');
    expect(() => new Webhook(`whsec_${'A'.repeat(32)}`).verify(signedInput.body, headers)).toThrow('No matching');
  });

  it('without a secret has its id and time, and no signature', () => {
    expect(Object.keys(createSigner([])({ id: 'x', atSeconds: 1, body: '' }))).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'x-service-timestamp',
    ]);
  });
});

it('a secret has no blanks and no comma, and is decodable where its form says so', () => {
  for (const secret of ['a', decoded, 'whsec', 'a-long_secret!', `whsec_${'A'.repeat(43)}=`]) {
    expect([secret, isSigningSecret(secret)]).toEqual([secret, true]);
  }
  for (const secret of ['', 'a b', 'a,b', 'whsec_', 'whsec_not base64', 'whsec_%%%%', 'ä', 'x'.repeat(1025)]) {
    expect([secret, isSigningSecret(secret)]).toEqual([secret, false]);
  }
});
