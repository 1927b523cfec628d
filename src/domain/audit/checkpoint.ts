// Signs and verifies checkpoints: Ed25519 over canonical JSON (RFC 8785).
import { createPublicKey, verify } from 'node:crypto';
import type { ChainHead, Checkpoint } from '../model/audit-line.ts';
import type { CheckpointSigner } from '../ports/audit-chain.ts';

/** Keys in order and no spaces: canonical, because the values are plain strings and one integer. */
function canonical({ at, chain, hash, seq }: ChainHead & { readonly at: string }): string {
  return JSON.stringify({ at, chain, hash, seq });
}

/** @param at milliseconds since 1970 */
export function signCheckpoint(signer: CheckpointSigner, head: ChainHead, at: number): Checkpoint {
  const { chain, seq, hash } = head;
  const stated = { chain, seq, hash, at: new Date(at).toISOString() };
  return { ...stated, signature: signer.sign(canonical(stated)), key: signer.publicKey };
}

/** SubjectPublicKeyInfo of an Ed25519 key, without its 32 bytes. RFC 8410 §4. */
const spkiHead = Buffer.from('302a300506032b6570032100', 'hex');

/** Whether this key signed the checkpoint. @param publicKey base64 of 32 bytes */
export function isSignedBy(publicKey: string, checkpoint: Omit<Checkpoint, 'key'>): boolean {
  const raw = Buffer.from(publicKey, 'base64');
  if (raw.length !== 32) return false;
  const key = createPublicKey({ key: Buffer.concat([spkiHead, raw]), format: 'der', type: 'spki' });
  return verify(null, Buffer.from(canonical(checkpoint)), key, Buffer.from(checkpoint.signature, 'base64'));
}
