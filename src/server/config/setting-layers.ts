// Gathers the settings that somebody gave: flags over environment over config file, each with where it came from.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ConfigError } from './config-error.ts';
import { readConfigFile } from './config-file.ts';
import { isSettingName, settingNames, settingRows, valueOfText, type SettingName } from './setting-table.ts';

/** Where settings come from. */
export interface ConfigSources {
  /** By setting name; a secret's as `<name>_file`. Undefined: not given. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  /** Undefined: `switchyard.yaml` in `cwd`, where it exists. */
  readonly configFile: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  /** The folder that the service is started in. */
  readonly cwd: string;
}

export interface Given {
  readonly value: unknown;
  /** For people: `flag --port`, `environment PORT`, `file /etc/switchyard.yaml`. */
  readonly origin: string;
  /** The folder at which relative paths of this value start. */
  readonly base: string;
}

export type Layer = ReadonlyMap<SettingName, Given>;

/** A value as one place has it, before it is known to be a setting's own or the path of a file that holds it. */
interface Entry {
  readonly key: string;
  readonly value: unknown;
  readonly origin: string;
  readonly base: string;
}

export function envName(name: SettingName): string {
  return name.toUpperCase();
}

/** The flag of a setting; a secret's names a file, for arguments can be read by every user of the machine. */
export function flagName(name: SettingName): string {
  return `--${name.replaceAll('_', '-')}${settingRows[name].secret === true ? '-file' : ''}`;
}

/** A worker listens to the broker itself: that address is no secret before it. */
function isKeptFromWorkers(name: SettingName): boolean {
  return settingRows[name].secret === true && name !== 'a2a_broker_url';
}

/** The environment without the service's secrets, for the worker that it starts. */
export function withoutServiceSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const secret = settingNames.filter(isKeptFromWorkers).map(envName);
  const names = new Set(secret.flatMap((name) => [name, `${name}_FILE`]));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name)));
}

/** @throws ConfigError for an unknown name, a file that cannot be read, a secret given in both forms in one place */
export async function gatherSettings(sources: ConfigSources): Promise<Layer> {
  const merged = new Map<SettingName, Given>();
  for (const entries of [await fileEntries(sources), environmentEntries(sources), flagEntries(sources)]) {
    for (const [name, given] of await layerOf(entries)) merged.set(name, given);
  }
  return merged;
}

async function layerOf(entries: readonly Entry[]): Promise<Layer> {
  const layer = new Map<SettingName, Given>();
  for (const entry of entries) {
    const { name, given } = await read(entry);
    const other = layer.get(name);
    if (other !== undefined) throw new ConfigError(`${name} is given twice: ${other.origin} and ${given.origin}`);
    layer.set(name, given);
  }
  return layer;
}

async function read(entry: Entry): Promise<{ name: SettingName; given: Given }> {
  const { key, value, origin, base } = entry;
  if (isSettingName(key)) {
    return { name: key, given: { value: readable(key, value), origin, base } };
  }
  const name = key.replace(/_file$/, '');
  if (name === key || !isSettingName(name) || settingRows[name].secret !== true) throw unknown(key, origin);
  const text = await readSecret(value, entry);
  return { name, given: { value: valueOfText(settingRows[name].kind, text), origin, base } };
}

function readable(name: SettingName, value: unknown): unknown {
  return typeof value === 'string' ? valueOfText(settingRows[name].kind, value) : value;
}

async function readSecret(file: unknown, { key, origin, base }: Entry): Promise<string> {
  if (typeof file !== 'string' || file === '') throw new ConfigError(`${key} (${origin}): write the path of a file`);
  const text = await readFile(path.resolve(base, file), 'utf8').catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError(`${key} (${origin}) cannot be read: ${why}`, { cause });
  });
  if (text.trim() === '') throw new ConfigError(`${key} (${origin}): the file ${file} is empty`);
  return text;
}

function unknown(key: string, origin: string): ConfigError {
  return new ConfigError(`Unknown setting "${key}" (${origin}); the settings are ${settingNames.join(', ')}`);
}

async function fileEntries({ configFile, cwd }: ConfigSources): Promise<Entry[]> {
  const file = await readConfigFile(configFile, cwd);
  if (file === undefined) return [];
  const base = path.dirname(file.path);
  return Object.entries(file.values).map(([key, value]) => ({ key, value, origin: `file ${file.path}`, base }));
}

function environmentEntries({ env, cwd }: ConfigSources): Entry[] {
  const secret = settingNames.filter((name) => settingRows[name].secret === true).map((name) => `${name}_file`);
  return [...settingNames, ...secret].flatMap((key) => {
    const variable = key.toUpperCase();
    const value = env[variable];
    // A variable set to nothing is how shells and compose files say that it is not set.
    return value === undefined || value === '' ? [] : [{ key, value, origin: `environment ${variable}`, base: cwd }];
  });
}

function flagEntries({ flags, cwd }: ConfigSources): Entry[] {
  return Object.entries(flags).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value, origin: `flag --${key.replaceAll('_', '-')}`, base: cwd }],
  );
}
