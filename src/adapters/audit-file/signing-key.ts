// The key that signs checkpoints: the operator's, or one generated at the first start.
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { link, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CheckpointSigner } from '../../domain/ports/audit-chain.ts';
import { AuditFileError } from './error.ts';
import { errorCode } from '../../lib/system/error-code.ts';
import { makeFolder } from '../../lib/system/make-folder.ts';
import { readIfPresent } from '../../lib/system/read-if-present.ts';

/**
 * Reads an Ed25519 private key (PEM).
 * @param make true generates a missing key, in a file readable by its owner alone
 * @throws AuditFileError audit_key
 */
export async function openSigner(file: string, make: boolean): Promise<CheckpointSigner> {
  let pem = await readKey(file);
  if (pem === undefined && make) {
    await makeKey(file);
    pem = await readKey(file);
  }
  if (pem === undefined) throw unusable(file, new Error('there is no such file'));
  return signerOf(file, pem);
}

function signerOf(file: string, pem: string): CheckpointSigner {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch (cause) {
    throw unusable(file, cause);
  }
  if (key.asymmetricKeyType !== 'ed25519') throw unusable(file, new Error('it is not an Ed25519 key'));
  return {
    publicKey: rawPublicKey(createPublicKey(key)),
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64'),
  };
}

/** The public key of a PEM file that holds a public or private key; base64 of 32 bytes. */
export async function readPublicKey(file: string): Promise<string> {
  const pem = await readKey(file);
  try {
    if (pem === undefined) throw new Error('there is no such file');
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType !== 'ed25519') throw new Error('it is not an Ed25519 key');
    return rawPublicKey(key);
  } catch (cause) {
    throw unusable(file, cause);
  }
}

function rawPublicKey(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
}

async function readKey(file: string): Promise<string | undefined> {
  return readIfPresent(file).catch((error: unknown) => {
    throw unusable(file, error);
  });
}

/** Creates the key file atomically: complete or not at all, and the first of two concurrent attempts wins. */
async function makeKey(file: string): Promise<void> {
  await makeFolder(path.dirname(file), 0o700);
  const half = `${file}.${process.pid}.half`;
  const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });
  await writeFile(half, pem, { mode: 0o600, flush: true });
  try {
    await link(half, file);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw unusable(file, error);
  } finally {
    await rm(half, { force: true });
  }
}

function unusable(file: string, cause: unknown): AuditFileError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AuditFileError(
    'audit_key',
    `The audit's signing key ${file} cannot be used: ${why}`,
    'Set AUDIT_SIGNING_KEY_FILE to an Ed25519 private key in PEM (`openssl genpkey -algorithm ed25519`).',
    { cause },
  );
}
