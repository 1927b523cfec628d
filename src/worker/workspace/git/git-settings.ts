// Git configurations as data: read without acting on them; only settings that start no program are passed on.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { errorCode } from '../../../lib/system/error-code.ts';
import type { Git } from './git.ts';

/** Names in lower case, as git prints them, except for the middle part; of several values the last one. */
export type GitSettings = ReadonlyMap<string, string>;

const maxBytes = 1_000_000;

/** Reads a small file of a git folder that others can write: never a link, a pipe or a device. */
export async function readPlain(path: string): Promise<string | undefined> {
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = await handle.stat();
      if (!found.isFile() || found.size > maxBytes) return undefined;
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENXIO', 'EACCES'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

function parse(output: Buffer): GitSettings {
  const found = new Map<string, string>();
  for (const entry of output.toString().split('\0')) {
    const cut = entry.indexOf('\n');
    // A name without a value means true.
    if (cut > 0) found.set(entry.slice(0, cut), entry.slice(cut + 1));
    else if (entry !== '') found.set(entry, 'true');
  }
  return found;
}

/** The settings in a repository's file, without included ones; empty when it cannot be read. */
export async function settingsIn(git: Git, file: string): Promise<GitSettings> {
  const text = await readPlain(file);
  if (text === undefined) return new Map();
  const read = ['config', '--file', '-', '--no-includes', '--null', '--list'];
  const { code, stdout } = await git.run(read, { cwd: '/', input: text, expect: [0, 1, 128] });
  return code === 0 ? parse(stdout) : new Map();
}

/**
 * The settings of the system and the user, including files that they include for a repository.
 * @param gitDir for the user's conditions (`includeIf "gitdir:…"`); git reads nothing else of it but its format version
 */
export async function userSettings(git: Git, gitDir: string): Promise<GitSettings> {
  const call = { cwd: '/', configuration: 'user', env: { GIT_DIR: gitDir }, expect: [0, 1, 128] } as const;
  const all = new Map<string, string>();
  for (const scope of ['--system', '--global']) {
    const { code, stdout } = await git.run(['config', scope, '--includes', '--null', '--list'], {
      ...call,
      expect: [...call.expect],
    });
    if (code === 0) for (const [name, value] of parse(stdout)) all.set(name, value);
  }
  return all;
}

export function isTrue(value: string | undefined): boolean {
  return value !== undefined && /^(?:true|yes|on|[1-9]\d*)$/i.test(value);
}

/** How files are written and compared: keywords of git, or numbers. */
const dataNames = [
  'core.autocrlf',
  'core.eol',
  'core.filemode',
  'core.ignorecase',
  'core.precomposeunicode',
  'core.symlinks',
  'core.sparsecheckout',
  'core.sparsecheckoutcone',
];
const dataValue = /^[a-z0-9]{0,10}$/i;
/** Pattern files of the user; a repository's own configuration may not name any. */
const userFiles = ['core.attributesfile', 'core.excludesfile'];

/** The settings that our git takes over, as environment variables, and the identity of our commits. */
export function toGitEnvironment(repository: GitSettings, user: GitSettings): Record<string, string> {
  const taken: [string, string][] = [];
  for (const name of dataNames) {
    const value = repository.get(name) ?? user.get(name);
    if (value !== undefined && dataValue.test(value)) taken.push([name, value]);
  }
  for (const name of userFiles) {
    const value = user.get(name);
    if (value !== undefined) taken.push([name, value]);
  }
  const env: Record<string, string> = { GIT_CONFIG_COUNT: String(taken.length) };
  for (const [at, [name, value]] of taken.entries()) {
    env[`GIT_CONFIG_KEY_${at}`] = name;
    env[`GIT_CONFIG_VALUE_${at}`] = value;
  }
  return { ...env, ...toIdentity(repository, user) };
}

/** The identity of commits, as environment variables; empty: the worker's own. */
export function toIdentity(repository: GitSettings, user: GitSettings): Record<string, string> {
  const person = (key: string): string | undefined => repository.get(key) ?? user.get(key);
  const [name, email] = [person('user.name'), person('user.email')];
  // Half an identity would combine a person's name with our address.
  if (!name || !email) return {};
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}
