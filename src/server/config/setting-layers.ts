// Collects the given settings of the service: flags over environment over config file, each with its origin.
import {
  buildLayer,
  environmentEntries,
  fileEntries,
  flagEntries,
  readSecretFile,
  type Entry,
  type SettingLayer,
  type SourcedValue,
} from '../../lib/settings/layers.ts';
import { parseByKind } from '../../lib/settings/kinds.ts';
import { parseValue } from '../../lib/settings/table.ts';
import { ConfigError } from './errors/config-error.ts';
import { readServiceConfigFile } from './config-file.ts';
import {
  isServiceSettingName,
  serviceSettingNames,
  serviceSettingRows,
  type ServiceSettingName,
} from './setting-table.ts';

/** The sources of settings. */
export interface ConfigSources {
  /** By setting name; a secret's as `<name>_file`. Undefined: not given. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  /** Undefined: `switchyard.yaml` in `cwd`, where it exists. */
  readonly configFile: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  /** The folder that the service is started in. */
  readonly cwd: string;
}

export type ServiceSettingLayer = SettingLayer<ServiceSettingName>;

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
  const layers = [
    fileEntries(await readServiceConfigFile(sources.configFile, sources.cwd)),
    environmentEntries(variables(), sources),
    flagEntries(sources, (key) => `flag --${key.replaceAll('_', '-')}`),
  ];
  const merged = new Map<ServiceSettingName, SourcedValue>();
  for (const entries of layers) {
    for (const [name, sourced] of await buildLayer(entries, readEntry, configError)) merged.set(name, sourced);
  }
  return merged;
}

function configError(message: string, options?: ErrorOptions): ConfigError {
  return new ConfigError(message, options);
}

/** A key is a setting's name, or of a secret `<name>_file`. */
async function readEntry(entry: Entry): Promise<readonly [ServiceSettingName, unknown]> {
  const { key, value, origin } = entry;
  if (isServiceSettingName(key)) return [key, parseValue(serviceSettingRows, key, value)];
  const name = key.replace(/_file$/, '');
  if (name === key || !isServiceSettingName(name) || serviceSettingRows[name].secret !== true) {
    throw new ConfigError(`Unknown setting "${key}" (${origin}); the settings are ${serviceSettingNames.join(', ')}`);
  }
  return [name, parseByKind(serviceSettingRows[name].kind, await readSecret(entry))];
}

async function readSecret({ key, value: file, origin, base }: Entry): Promise<string> {
  if (typeof file !== 'string' || file === '') throw new ConfigError(`${key} (${origin}): write the path of a file`);
  const { text } = await readSecretFile(key, { file, origin, base }, configError);
  if (text.trim() === '') throw new ConfigError(`${key} (${origin}): the file ${file} is empty`);
  return text;
}

function variables(): [key: string, variable: string][] {
  const files = serviceSettingNames.filter((name) => serviceSettingRows[name].secret === true);
  return [...serviceSettingNames, ...files.map((name) => `${name}_file`)].map((key) => [key, key.toUpperCase()]);
}
