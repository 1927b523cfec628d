// The key that signs the agent card: read at the start, and tried, so that a wrong one stops the start.
import { readFile } from 'node:fs/promises';
import { cardSigner } from '../../http/a2a/card/card-signature.ts';
import { ConfigError } from './config-error.ts';

/**
 * @param file undefined: cards are not signed
 * @returns the private key in PEM
 * @throws ConfigError when it cannot be read, or is no key that cards can be signed with
 */
export async function readCardKey(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    const pem = await readFile(file, 'utf8');
    cardSigner(pem, () => '');
    return pem;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError(`A2A_CARD_SIGNING_KEY_FILE ${file} holds no key that signs: ${why}`, { cause });
  }
}
