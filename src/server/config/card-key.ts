// Reads the key that signs the agent card, and signs once with it, so that a wrong key stops the start.
import { readFile } from 'node:fs/promises';
import { ConfigError } from './errors/config-error.ts';

/**
 * @param file undefined: cards are not signed
 * @returns the private key in PEM
 * @throws ConfigError when the file cannot be read or holds no key that can sign cards
 */
export async function readCardKey(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const { cardSigner } = await import('../../http/a2a/card/card-signature.ts');
  try {
    const pem = await readFile(file, 'utf8');
    cardSigner(pem, () => '');
    return pem;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError(`A2A_CARD_SIGNING_KEY_FILE ${file} holds no usable signing key: ${why}`, { cause });
  }
}
