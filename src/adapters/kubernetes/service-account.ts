// The service account that a cluster mounts into a pod: its token, read anew for each use, because it is exchanged.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

export interface ServiceAccount {
  /** Undefined: the system's own authorities are trusted. */
  readonly ca: string | undefined;
  readonly token: string;
}

/** Whether a token is mounted. */
export async function hasToken(folder: string): Promise<boolean> {
  return (await readTrimmed(path.join(folder, 'token')).catch(() => '')) !== '';
}

/** The namespace of the account's pod; undefined: it is unknown. */
export async function readNamespace(folder: string): Promise<string | undefined> {
  const namespace = await readTrimmed(path.join(folder, 'namespace')).catch(() => '');
  return namespace === '' ? undefined : namespace;
}

/** @throws the system's error when the token cannot be read */
export async function readServiceAccount(folder: string): Promise<ServiceAccount> {
  const [token, ca] = await Promise.all([
    readTrimmed(path.join(folder, 'token')),
    readFile(path.join(folder, 'ca.crt'), 'utf8').catch(() => undefined),
  ]);
  return { token, ca };
}

async function readTrimmed(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).trim();
}
