// Collects the given settings of the service: flags over environment over config file, each with its origin.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ConfigError } from './config-error.ts';
import { readServiceConfigFile } from './config-file.ts';
import {
  isServiceSettingName,
  serviceSettingNames,
  serviceSettingRows,
  parseServiceSetting,
  type ServiceSettingName,
} from './setting-table.ts';

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

export interface SourcedValue {
  readonly value: unknown;
  /** For people: `flag --port`, `environment PORT`, `file /etc/switchyard.yaml`. */
  readonly origin: string;
  /** The folder against which relative paths of this value are resolved. */
  readonly base: string;
}

export type ServiceSettingLayer = ReadonlyMap<ServiceSettingName, SourcedValue>;

/** A raw value of one layer: a setting's own value, or the path of a file that holds it. */
interface Entry {
  readonly key: string;
  readonly value: unknown;
  readonly origin: string;
  readonly base: string;
}

export function envName(name: ServiceSettingName): string {
  return name.toUpperCase();
}

/** The flag of a setting. A secret's flag names a file: any user of the machine can read arguments. */
export function flagName(name: ServiceSettingName): string {
  return `--${name.replaceAll('_', '-')}${serviceSettingRows[name].secret === true ? '-file' : ''}`;
}

/** A worker connects to the broker itself, so that address is not hidden from it. */
function isHiddenFromWorkers(name: ServiceSettingName): boolean {
  return serviceSettingRows[name].secret === true && name !== 'a2a_broker_url';
}

/** The environment without the service's secrets, for the worker that the service starts. */
export function withoutServiceSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const secret = serviceSettingNames.filter(isHiddenFromWorkers).map(envName);
  const names = new Set(secret.flatMap((name) => [name, `${name}_FILE`]));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name)));
}

/** @throws ConfigError for an unknown name, an unreadable file, or a secret given in both forms in one layer */
export async function gatherServiceSettings(sources: ConfigSources): Promise<ServiceSettingLayer> {
  const merged = new Map<ServiceSettingName, SourcedValue>();
  for (const entries of [await fileEntries(sources), environmentEntries(sources), flagEntries(sources)]) {
    for (const [name, sourced] of await buildLayer(entries)) merged.set(name, sourced);
  }
  return merged;
}

async function buildLayer(entries: readonly Entry[]): Promise<ServiceSettingLayer> {
  const layer = new Map<ServiceSettingName, SourcedValue>();
  for (const entry of entries) {
    const { name, sourced } = await readEntry(entry);
    const existing = layer.get(name);
    if (existing !== undefined)
      throw new ConfigError(`${name} is given twice: ${existing.origin} and ${sourced.origin}`);
    layer.set(name, sourced);
  }
  return layer;
}

async function readEntry(entry: Entry): Promise<{ name: ServiceSettingName; sourced: SourcedValue }> {
  const { key, value, origin, base } = entry;
  if (isServiceSettingName(key)) {
    return { name: key, sourced: { value: coerceValue(key, value), origin, base } };
  }
  const name = key.replace(/_file$/, '');
  if (name === key || !isServiceSettingName(name) || serviceSettingRows[name].secret !== true)
    throw unknownSetting(key, origin);
  const text = await readSecret(value, entry);
  return { name, sourced: { value: parseServiceSetting(serviceSettingRows[name].kind, text), origin, base } };
}

function coerceValue(name: ServiceSettingName, value: unknown): unknown {
  return typeof value === 'string' ? parseServiceSetting(serviceSettingRows[name].kind, value) : value;
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

function unknownSetting(key: string, origin: string): ConfigError {
  return new ConfigError(`Unknown setting "${key}" (${origin}); the settings are ${serviceSettingNames.join(', ')}`);
}

async function fileEntries({ configFile, cwd }: ConfigSources): Promise<Entry[]> {
  const file = await readServiceConfigFile(configFile, cwd);
  if (file === undefined) return [];
  const base = path.dirname(file.path);
  return Object.entries(file.values).map(([key, value]) => ({ key, value, origin: `file ${file.path}`, base }));
}

function environmentEntries({ env, cwd }: ConfigSources): Entry[] {
  const secret = serviceSettingNames
    .filter((name) => serviceSettingRows[name].secret === true)
    .map((name) => `${name}_file`);
  return [...serviceSettingNames, ...secret].flatMap((key) => {
    const variable = key.toUpperCase();
    const value = env[variable];
    // Shells and compose files set a variable to the empty string to leave it unset.
    return value === undefined || value === '' ? [] : [{ key, value, origin: `environment ${variable}`, base: cwd }];
  });
}

function flagEntries({ flags, cwd }: ConfigSources): Entry[] {
  return Object.entries(flags).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value, origin: `flag --${key.replaceAll('_', '-')}`, base: cwd }],
  );
}
