// Finds the owner address for `db setup`: environment, a file, or an argument, which others can read.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CliError } from '../core/cli-error.ts';
import { exitCodes } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';

export interface OwnerUrlFlags {
  readonly ownerUrl?: string;
  readonly ownerUrlFile?: string;
}

const ownerUrlHint = 'Set SWITCHYARD_OWNER_URL, or give --owner-url-file with a file that holds it.';

/** Flags over environment. Warns about a password in an argument. @throws CliError */
export async function findOwnerUrl(io: CliIo, flags: OwnerUrlFlags): Promise<string> {
  const { ownerUrl, ownerUrlFile } = flags;
  if (ownerUrl !== undefined && ownerUrlFile !== undefined) {
    throw new CliError(exitCodes.usage, 'given_twice', '--owner-url and --owner-url-file are both given.', 'Give one.');
  }
  if (ownerUrl !== undefined) {
    if (hasPassword(ownerUrl)) {
      io.err(`warning: every user of this machine can read a password in an argument. ${ownerUrlHint}\n`);
    }
    return ownerUrl;
  }
  if (ownerUrlFile !== undefined) return readUrlFile(io, ownerUrlFile);
  const { SWITCHYARD_OWNER_URL: url = '', SWITCHYARD_OWNER_URL_FILE: file = '' } = io.env;
  if (url !== '') return url;
  if (file !== '') return readUrlFile(io, file);
  const message = 'The address of a superuser or of a login that may create roles is missing.';
  throw new CliError(exitCodes.usage, 'no_owner_url', message, ownerUrlHint);
}

function hasPassword(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.password !== '' || url.searchParams.has('password'));
}

/** @throws CliError owner_url_file */
export async function readUrlFile(io: CliIo, file: string): Promise<string> {
  try {
    return (await readFile(path.resolve(io.cwd, file), 'utf8')).trim();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(exitCodes.usage, 'owner_url_file', `The owner address cannot be read: ${why}`, '', { cause });
  }
}
