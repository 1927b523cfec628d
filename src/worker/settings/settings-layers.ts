// Collects the given settings of the worker: flags over environment over config file, each with its origin.
import { dirname, resolve } from 'node:path';
import { readWorkerConfigFile } from './config-file.ts';
import { SettingsError } from './settings-error.ts';
import { isWorkerSettingName, workerSettingRows, parseWorkerSetting } from './settings-table.ts';
import type { WorkerSettingName } from './settings-table.ts';

interface Given {
  value: unknown;
  /** For people: `flag`, `environment A2A_SERVER_URL`, `file /etc/worker.yaml`, `default`. */
  origin: string;
  /** The folder against which relative paths of this value are resolved. */
  base: string;
}

export type WorkerSettingsLayer = Map<WorkerSettingName, Given>;

export interface SettingsSources {
  /** Values by setting name; a text is parsed like an environment variable. Undefined: not given. */
  flags: Partial<Record<WorkerSettingName, unknown>>;
  /** Path of a config file. None is searched for: a file found by chance could name a program to run. */
  configFile?: string | undefined;
  env: NodeJS.ProcessEnv;
  cwd: string;
  hostname: string;
}

/** Secret settings, each with the setting that names its file. */
export const secretForms = [
  ['token', 'token_file'],
  ['model_provider_api_key', 'model_provider_api_key_file'],
] as const satisfies [WorkerSettingName, WorkerSettingName][];

/** @throws SettingsError for an unknown name, an unreadable file, or a secret given twice in one layer */
export async function gatherWorkerSettings(sources: SettingsSources): Promise<WorkerSettingsLayer> {
  const merged: WorkerSettingsLayer = new Map();
  for (const layer of [await fileLayer(sources), environmentLayer(sources), flagLayer(sources)]) {
    for (const [secret, file] of secretForms) takeOneForm(secret, file, layer, merged);
    for (const [name, given] of layer) merged.set(name, given);
  }
  return merged;
}

/** The two are one setting in two forms: the stronger layer's form replaces either. */
function takeOneForm(
  secret: WorkerSettingName,
  file: WorkerSettingName,
  layer: WorkerSettingsLayer,
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

function flagLayer({ flags, cwd }: SettingsSources): WorkerSettingsLayer {
  const layer: WorkerSettingsLayer = new Map();
  for (const [name, value] of Object.entries(flags)) {
    if (value === undefined) continue;
    if (!isWorkerSettingName(name)) throw new SettingsError(unknown(`flag ${name}`));
    layer.set(name, { value: read(name, value), origin: 'flag', base: cwd });
  }
  return layer;
}

function environmentLayer({ env, cwd }: SettingsSources): WorkerSettingsLayer {
  const layer: WorkerSettingsLayer = new Map();
  const known = new Set(['A2A_WORKER_CONFIG']);
  for (const [name, row] of Object.entries(workerSettingRows)) {
    if (row.env === undefined || !isWorkerSettingName(name)) continue;
    known.add(row.env);
    const value = env[row.env];
    // Shells and compose files set a variable to the empty string to leave it unset.
    if (value === undefined || value === '') continue;
    layer.set(name, { value: read(name, value), origin: `environment ${row.env}`, base: cwd });
  }
  // Only this prefix belongs to the worker; other names may belong to the service or to an agent.
  const stray = Object.keys(env).find((name) => name.startsWith('A2A_WORKER_') && !known.has(name));
  if (stray !== undefined) throw new SettingsError(unknown(`environment variable ${stray}`));
  return layer;
}

async function fileLayer({ configFile, env, cwd }: SettingsSources): Promise<WorkerSettingsLayer> {
  const layer: WorkerSettingsLayer = new Map();
  const named = configFile ?? env['A2A_WORKER_CONFIG'];
  if (named === undefined || named === '') return layer;
  const path = resolve(cwd, named);
  for (const [name, value] of Object.entries(await readWorkerConfigFile(path))) {
    if (!isWorkerSettingName(name)) throw new SettingsError(unknown(`key ${name} in ${path}`));
    layer.set(name, { value, origin: `file ${path}`, base: dirname(path) });
  }
  return layer;
}

function read(name: WorkerSettingName, value: unknown): unknown {
  return typeof value === 'string' ? parseWorkerSetting(workerSettingRows[name].kind, value) : value;
}

function unknown(what: string): string {
  return `unknown ${what}: the settings are ${Object.keys(workerSettingRows).join(', ')}`;
}
