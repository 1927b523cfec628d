// The file `DATA_DIR/cli.json`, where `up` stores address and token for the command line. choices-1.
import { rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { readServiceConfigFile } from '../../server/config/config-file.ts';
import { StartError } from '../../server/config/errors/start-error.ts';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';
import type { CliIo } from './io.ts';
import { makeFolder } from '../../lib/system/make-folder.ts';
import { tryParseJson } from '../../lib/json/json-text.ts';
import { readIfPresent } from '../../lib/system/read-if-present.ts';

const content = z.object({ url: z.url(), token: z.string() });
export type CliFile = z.infer<typeof content>;

/** Finds `DATA_DIR` as the service does: flag, environment, config file, default. */
export async function findDataDir(io: Pick<CliIo, 'env' | 'cwd'>, flag: string | undefined): Promise<string> {
  const named = flag ?? io.env['DATA_DIR'];
  if (named !== undefined && named !== '') return path.resolve(io.cwd, named);
  const file = await readServiceConfigFile(undefined, io.cwd);
  const configured = file?.values['data_dir'];
  return path.resolve(io.cwd, typeof configured === 'string' ? configured : '.switchyard');
}

/** Undefined when no service has written one. @throws CliError when the file exists and cannot be used */
export async function readCliFile(dataDir: string): Promise<CliFile | undefined> {
  const file = path.join(dataDir, 'cli.json');
  const text = await readIfPresent(file).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(exitCodes.usage, 'cli_file', `${file} cannot be read: ${why}`, connectionHint, { cause });
  });
  if (text === undefined) return undefined;
  const parsed = content.safeParse(tryParseJson(text));
  if (parsed.success) return parsed.data;
  throw new CliError(exitCodes.usage, 'cli_file', `${file} was not written by \`switchyard up\`.`, connectionHint);
}

const connectionHint = 'Name the service with --url and --token-file, or SWITCHYARD_URL and SWITCHYARD_TOKEN.';

/** The header that curl reads with `-H @FILE`, so that no token stands in its arguments. */
export function curlHeaderFile(dataDir: string): string {
  return path.join(dataDir, 'curl-header');
}

/** Writes both files atomically, readable by this user only. */
export async function writeCliFile(dataDir: string, { url, token }: CliFile): Promise<void> {
  await writePrivate(path.join(dataDir, 'cli.json'), `${JSON.stringify({ url, token })}\n`);
  await writePrivate(curlHeaderFile(dataDir), `Authorization: Bearer ${token}\n`);
}

async function writePrivate(file: string, text: string): Promise<void> {
  const temporary = `${file}.half`;
  await writeFile(temporary, text, { mode: 0o600 });
  await rename(temporary, file);
}

/** Creates DATA_DIR and keeps it out of git: by default it lies in a repository, and it holds secrets. @throws StartError */
export async function makeDataDir(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir, 0o700);
    await writeFile(path.join(dataDir, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code === 'EEXIST' && (await stat(dataDir)).isDirectory()) return;
    const message = `The data folder ${dataDir} cannot be used: ${error.message}`;
    const remedy = 'Make it a folder that this user may write to, or name another with DATA_DIR.';
    throw new StartError('data_dir_unusable', message, remedy, { cause: error });
  }
}
