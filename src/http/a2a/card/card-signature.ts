// Signs the agent card: a detached JWS over its canonical JSON, made with the key that the operator configured.
// a2a v0.3 §5.5.6, a2a v1.0 §8.4; RFC 7515, RFC 8785.
import { AgentCard, canonicalizeAgentCard } from '@a2a-js/sdk';
import canonicalize from 'canonicalize';
import { createPrivateKey, createPublicKey, sign, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { CardJson } from './card-formats.ts';
import { sha256 } from '../../../lib/digest.ts';

export interface CardSignature {
  readonly protected: string;
  readonly signature: string;
}

export interface CardSigner {
  /** The public key, in the form that verifiers fetch. RFC 7517. */
  readonly jwk: JsonWebKey;
  /**
   * One signature for each canonical form: the card as served, and the card as the official clients of v1.0 reduce it
   * before they verify. They drop unknown and empty members, once or (for a pure v1.0 card) twice.
   */
  signaturesOf(card: CardJson): CardSignature[];
}

/**
 * @param pem a private key in PEM: Ed25519 (signs with EdDSA), or of the curve P-256 (ES256)
 * @param jwksUrl address of the public key
 * @throws for any other key
 */
export function cardSigner(pem: string, jwksUrl: () => string): CardSigner {
  const key = createPrivateKey(pem);
  const alg = algorithmOf(key);
  const publicKey = createPublicKey(key).export({ format: 'jwk' });
  const kid = thumbprint(publicKey);
  return {
    jwk: { ...publicKey, kid, alg, use: 'sig' },
    signaturesOf(card) {
      const header = encoded(JSON.stringify({ alg, typ: 'JOSE', kid, jku: jwksUrl() }));
      const read = AgentCard.fromJSON(card);
      const payloads = new Set([
        canonicalize(card) ?? '',
        canonicalizeAgentCard(Object.assign(AgentCard.fromJSON(card), card)),
        canonicalizeAgentCard(read),
      ]);
      return [...payloads].map((payload) => {
        const data = Buffer.from(`${header}.${encoded(payload)}`);
        const signingKey = alg === 'ES256' ? { key, dsaEncoding: 'ieee-p1363' as const } : key;
        const signature = sign(alg === 'ES256' ? 'sha256' : null, data, signingKey);
        return { protected: header, signature: signature.toString('base64url') };
      });
    },
  };
}

function encoded(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function algorithmOf(key: KeyObject): 'EdDSA' | 'ES256' {
  if (key.asymmetricKeyType === 'ed25519') return 'EdDSA';
  if (key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return 'ES256';
  throw new Error('The signing key of the agent card must be Ed25519, or of the curve P-256.');
}

/** The key's id: a hash of its required members, in order. RFC 7638. */
function thumbprint({ crv, kty, x, y }: JsonWebKey): string {
  const members = y === undefined ? { crv, kty, x } : { crv, kty, x, y };
  return sha256(JSON.stringify(members), 'base64url');
}
