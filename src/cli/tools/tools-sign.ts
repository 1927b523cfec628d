// The commands `tools keygen|sign`: create keys and signatures locally; no private key leaves this machine.
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { newManifest } from '../../contracts/tools.ts';
import { signedBytes } from '../../lib/json/signed-manifest.ts';
import { CliError } from '../core/cli-error.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { exitCodes } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { singleLine, printJson } from '../core/output.ts';
import { assertWritable, replaceFile } from '../core/private-file.ts';
import { sha256 } from '../../lib/digest.ts';
import { tryParseJson } from '../../lib/json/json-text.ts';

interface KeygenFlags {
  readonly json?: true;
  readonly out: string;
  readonly name?: string;
}

interface SignFlags {
  readonly json?: true;
  readonly key: string;
  readonly content?: string;
  readonly out?: string;
}

export function toolsKeygenCommand({ io, end }: CommandContext): Command {
  return newCommand('keygen', 'create a key that signs tools; its public half goes into TOOL_TRUSTED_KEYS')
    .requiredOption('--out <file>', 'file for the private key (PEM), readable by you only')
    .option('--name <name>', 'name of the key in TOOL_TRUSTED_KEYS')
    .action(async ({ json, out, name }: KeygenFlags) => {
      const file = path.resolve(io.cwd, out);
      if (await fileExists(file)) throw usage('file_exists', `${file} exists, and keys are never overwritten.`);
      await assertWritable(file);
      const { privateKey } = generateKeyPairSync('ed25519');
      await replaceFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
      const trusted = name === undefined ? publicKeyText(privateKey) : `${name}:${publicKeyText(privateKey)}`;
      if (json) printJson(io, { key_file: file, trusted_key: trusted });
      else io.out(`private key: ${singleLine(file)}\nTOOL_TRUSTED_KEYS=${singleLine(trusted)}\n`);
      end(exitCodes.ok);
    });
}

export function toolsSignCommand({ io, end }: CommandContext): Command {
  return newCommand('sign', 'sign a manifest')
    .argument('<manifest>', 'JSON file with tool_id, version and permissions of the tool')
    .requiredOption('--key <file>', 'private key, as written by `tools keygen`')
    .option('--content <file>', 'the executable file, whose hash goes into the manifest')
    .option('--out <file>', 'file for the signed manifest (default: standard output)')
    .action(async (file: string, flags: SignFlags) => {
      const key = await readKey(io, flags.key);
      const sha256_hash = flags.content === undefined ? undefined : sha256(await read(io, flags.content), 'hex');
      const signed = signManifest(await readManifest(io, file), sha256_hash, key);
      const text = JSON.stringify(signed, null, flags.json ? undefined : 2);
      if (flags.out === undefined) io.out(`${text}\n`);
      else await replaceFile(path.resolve(io.cwd, flags.out), `${text}\n`, 0o644);
      end(exitCodes.ok);
    });
}

/** Replaces an existing signature. */
function signManifest(given: Record<string, unknown>, sha256_hash: string | undefined, key: KeyObject): unknown {
  const parsed = newManifest.safeParse({
    ...given,
    ...(sha256_hash === undefined ? {} : { sha256_hash }),
    signature: '',
  });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw usage('bad_manifest', `The manifest is not valid: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
  }
  return { ...parsed.data, signature: sign(null, signedBytes(parsed.data), key).toString('base64') };
}

function publicKeyText(key: KeyObject): string {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('base64');
}

/** @throws CliError for a key that others may read, or that is none */
async function readKey(io: CliIo, file: string): Promise<KeyObject> {
  const resolved = path.resolve(io.cwd, file);
  const text = await read(io, file);
  if (((await stat(resolved)).mode & 0o077) !== 0) {
    throw usage('key_readable', `${resolved} can be read by others: chmod 600 it, or create another key.`);
  }
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // The parser's message may quote the file's content.
  }
  throw usage(
    'bad_key',
    `${resolved} is not an Ed25519 private key in PEM; create one with \`switchyard tools keygen\`.`,
  );
}

async function readManifest(io: CliIo, file: string): Promise<Record<string, unknown>> {
  const value = tryParseJson((await read(io, file)).toString('utf8'));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw usage('no_json', `${file} does not hold a JSON object.`);
}

async function read(io: CliIo, file: string): Promise<Buffer> {
  try {
    return await readFile(path.resolve(io.cwd, file));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(exitCodes.usage, 'unreadable', `${file} cannot be read: ${why}`, '', { cause });
  }
}

function fileExists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

function usage(code: string, message: string): CliError {
  return new CliError(exitCodes.usage, code, message);
}
