// Finds the service that a command calls, and the token it uses.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { CliError } from './cli-error.ts';
import { findDataDir, readCliFile } from './cli-file.ts';
import { exitCodes } from './exit-codes.ts';
import type { CliIo } from './io.ts';

export interface ConnectionFlags {
  readonly url?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly dataDir?: string;
}

export interface Connection {
  readonly url: string;
  readonly token: string;
}

const defaultUrl = 'http://127.0.0.1:8000';

/** Adds the flags that name a service. */
export function withConnection(command: Command): Command {
  return command
    .option('--url <address>', 'address of the service (SWITCHYARD_URL)')
    .option('--token <token>', 'bearer token; other users of this machine can read it, so prefer --token-file')
    .option('--token-file <file>', 'file that holds the token (SWITCHYARD_TOKEN, SWITCHYARD_TOKEN_FILE)')
    .option('--data-dir <folder>', 'folder with the cli.json of a running `switchyard up` (DATA_DIR)');
}

/**
 * Flags over environment over `DATA_DIR/cli.json`. The token of that file is sent only to the address in that file.
 * @throws CliError when there is no token, or a file cannot be read
 */
export async function findConnection(io: CliIo, flags: ConnectionFlags): Promise<Connection> {
  const requestedUrl = flags.url ?? nonEmpty(io.env['SWITCHYARD_URL']);
  const token = await findToken(io, flags);
  const dataDir = await findDataDir(io, flags.dataDir);
  const cliFile = requestedUrl !== undefined && token !== undefined ? undefined : await readCliFile(dataDir);
  const url = parseServiceUrl(requestedUrl ?? cliFile?.url ?? defaultUrl);
  if (token !== undefined) return { url, token };
  if (cliFile !== undefined && parseServiceUrl(cliFile.url) === url) return { url, token: cliFile.token };
  const noFileHint = cliFile === undefined ? ` No service has stored a token in ${dataDir}.` : '';
  throw new CliError(
    exitCodes.refused,
    'no_token',
    `There is no token for ${url}.${noFileHint}`,
    'Start one here with `switchyard up`, or give --url and --token-file (or SWITCHYARD_URL and SWITCHYARD_TOKEN).',
  );
}

/** Finds the address alone, in the same way; no token is required. @throws CliError */
export async function findUrl(io: CliIo, flags: ConnectionFlags): Promise<string> {
  const requestedUrl = flags.url ?? nonEmpty(io.env['SWITCHYARD_URL']);
  const cliFile = requestedUrl === undefined ? await readCliFile(await findDataDir(io, flags.dataDir)) : undefined;
  return parseServiceUrl(requestedUrl ?? cliFile?.url ?? defaultUrl);
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

async function findToken(io: CliIo, flags: ConnectionFlags): Promise<string | undefined> {
  if (flags.token !== undefined) return flags.token;
  if (flags.tokenFile !== undefined) return readToken(io, flags.tokenFile);
  const token = nonEmpty(io.env['SWITCHYARD_TOKEN']);
  if (token !== undefined) return token;
  const file = nonEmpty(io.env['SWITCHYARD_TOKEN_FILE']);
  return file === undefined ? undefined : readToken(io, file);
}

async function readToken(io: CliIo, file: string): Promise<string> {
  try {
    return (await readFile(path.resolve(io.cwd, file), 'utf8')).trim();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(exitCodes.usage, 'token_file', `The token file cannot be read: ${why}`, '', { cause });
  }
}

function parseServiceUrl(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return text.replace(/\/+$/, '');
  throw new CliError(exitCodes.usage, 'bad_url', `${text} is not an address such as ${defaultUrl}.`);
}
