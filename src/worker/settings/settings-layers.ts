// Collects the given settings of the worker: flags over environment over config file, each with its origin.
import { resolve } from 'node:path';
import {
  buildLayer,
  environmentEntries,
  fileEntries,
  flagEntries,
  type Entry,
  type SettingLayer,
  type SourcedValue,
} from '../../lib/settings/layers.ts';
import { parseValue } from '../../lib/settings/table.ts';
import { SettingsError } from './settings-error.ts';
import { isWorkerSettingName, workerSettingRows, type WorkerSettingName } from './settings-table.ts';
import { ConfigFileError, readConfigMapping } from '../../lib/settings/file.ts';

export type WorkerSettingsLayer = Map<WorkerSettingName, SourcedValue>;

export interface SettingsSources {
  /** Values by setting name; a text is parsed like an environment variable. Undefined: not given. */
  readonly flags: Partial<Record<WorkerSettingName, unknown>>;
  /** Path of a config file. None is searched for: a file found by chance could name a program to run. */
  readonly configFile?: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly hostname: string;
}

/** Secret settings, each with the setting that names its file. */
export const secretForms = [
  ['token', 'token_file'],
  ['model_provider_api_key', 'model_provider_api_key_file'],
] as const satisfies [WorkerSettingName, WorkerSettingName][];

/** @throws SettingsError for an unknown name, an unreadable file, or a secret given twice in one layer */
export async function gatherWorkerSettings(sources: SettingsSources): Promise<WorkerSettingsLayer> {
  const layers = [await fileLayer(sources), await environmentLayer(sources), await flagLayer(sources)];
  const merged: WorkerSettingsLayer = new Map();
  for (const layer of layers) {
    for (const [secret, file] of secretForms) takeOneForm(secret, file, layer, merged);
    for (const [name, given] of layer) merged.set(name, given);
  }
  return merged;
}

/** The two are one setting in two forms: the stronger layer's form replaces either. */
function takeOneForm(
  secret: WorkerSettingName,
  file: WorkerSettingName,
  layer: SettingLayer<WorkerSettingName>,
  merged: WorkerSettingsLayer,
): void {
  const given = layer.get(file);
  if (layer.has(secret) && given !== undefined) {
    throw new SettingsError(`${secret} and ${file} are both given (${given.origin}): give one of them`);
  }
  if (!layer.has(secret) && given === undefined) return;
  merged.delete(secret);
  merged.delete(file);
}

function flagLayer(sources: SettingsSources): Promise<SettingLayer<WorkerSettingName>> {
  const entries = flagEntries(sources, () => 'flag');
  return buildLayer(entries, ({ key, value }) => readText(key, value, `flag ${key}`), settingsError);
}

async function environmentLayer(sources: SettingsSources): Promise<SettingLayer<WorkerSettingName>> {
  const variables = Object.entries(workerSettingRows).flatMap(([name, { env }]): [string, string][] =>
    env === undefined ? [] : [[name, env]],
  );
  // Only this prefix belongs to the worker; other names may belong to the service or to an agent.
  const known = new Set(['A2A_WORKER_CONFIG', ...variables.map(([, variable]) => variable)]);
  const stray = Object.keys(sources.env).find((name) => name.startsWith('A2A_WORKER_') && !known.has(name));
  if (stray !== undefined) throw unknown(`environment variable ${stray}`);
  const entries = environmentEntries(variables, sources);
  return buildLayer(entries, ({ key, value }) => readText(key, value, key), settingsError);
}

/** Values of a config file have their types already, and are not parsed. */
async function fileLayer({ configFile, env, cwd }: SettingsSources): Promise<SettingLayer<WorkerSettingName>> {
  const named = configFile ?? env['A2A_WORKER_CONFIG'];
  if (named === undefined || named === '') return new Map();
  const path = resolve(cwd, named);
  const entries = fileEntries({ path, values: await readWorkerConfigFile(path) });
  const read = ({ key, value }: Entry): readonly [WorkerSettingName, unknown] => [
    knownName(key, `key ${key} in ${path}`),
    value,
  ];
  return buildLayer(entries, read, settingsError);
}

function readText(key: string, value: unknown, label: string): readonly [WorkerSettingName, unknown] {
  const name = knownName(key, label);
  return [name, parseValue(workerSettingRows, name, value)];
}

function knownName(key: string, label: string): WorkerSettingName {
  if (!isWorkerSettingName(key)) throw unknown(label);
  return key;
}

function unknown(label: string): SettingsError {
  return settingsError(`unknown ${label}: the settings are ${Object.keys(workerSettingRows).join(', ')}`);
}

export function settingsError(message: string, options?: ErrorOptions): SettingsError {
  return new SettingsError(message, options);
}

/** @throws SettingsError when the file does not exist, cannot be read, or is not one mapping */
async function readWorkerConfigFile(path: string): Promise<Record<string, unknown>> {
  const values = await readConfigMapping(path, 'server_url: http://127.0.0.1:8000').catch((cause: unknown) => {
    throw cause instanceof ConfigFileError ? new SettingsError(cause.message, { cause }) : cause;
  });
  if (values === undefined) throw new SettingsError(`The config file cannot be read: there is no ${path}`);
  return values;
}
