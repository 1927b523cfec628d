// Reads the secret keys of age that open an encrypted backup, from the file that age-keygen writes.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CliError } from '../core/cli-error.ts';
import { exitCodes } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';

export const identityFlag = ['--identity <file>', 'file with the secret key of age, for an encrypted backup'] as const;

/** @throws CliError identity_file */
export async function readIdentities(io: CliIo, file: string | undefined): Promise<string[]> {
  if (file === undefined) return [];
  try {
    const lines = (await readFile(path.resolve(io.cwd, file), 'utf8')).split('\n').map((line) => line.trim());
    return lines.filter((line) => line !== '' && !line.startsWith('#'));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(exitCodes.usage, 'identity_file', `The file of --identity cannot be read: ${why}`, '', {
      cause,
    });
  }
}
