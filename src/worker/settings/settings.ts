// The worker's settings, checked and ready to use, and what `config print` shows of them. core-2.7, choices-5.
import { stat } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import { z } from 'zod';
import type { Register } from '../../contracts/worker.ts';
import { toTraceSettings, type TraceSettings } from '../../telemetry/trace-settings.ts';
import { PricesUnreadable, readPrices, type PriceTable } from '../agents/prices/prices.ts';
import type { ModelSettings } from '../agents/model/model-settings.ts';
import type { GateSettings } from '../gates/gate-settings.ts';
import { readSecretFile } from '../../lib/settings/layers.ts';
import { showSettings, type ShownSetting as SettingLine } from '../../lib/settings/table.ts';
import type { LogFormat, LogLevel } from '../../lib/log/levels.ts';
import { isGitUrl, repositoryName } from '../../lib/text/git-url.ts';
import { toRlmSettings } from './rlm-settings-table.ts';
import { SettingsError } from './settings-error.ts';
import {
  gatherWorkerSettings,
  secretForms,
  settingsError,
  type WorkerSettingsLayer,
  type SettingsSources,
} from './settings-layers.ts';
import { allowedUrl, type ClonePolicy } from '../workspace/clone.ts';
import { WorkspaceError } from '../workspace/git/workspace-error.ts';
import {
  everyFolder,
  isWorkerSettingName,
  workerSettingSchemas,
  workerSettingRows,
  workerSettingsSchema,
  type WorkerSettingName,
} from './settings-table.ts';
import { sha256 } from '../../lib/digest.ts';

export type CodebaseSetting = NonNullable<Register['codebases']>[number];

export interface WorkerSettings {
  readonly serverUrl: string;
  readonly token: string;
  readonly workerName: string;
  readonly pollIntervalMs: number;
  readonly slots: number;
  /** Codebases to register, including `global`; every path is absolute and a folder. */
  readonly codebases: CodebaseSetting[];
  /** Folders below which callers may name a codebase, absolute; `*`: anywhere. Empty: nowhere. */
  readonly codebaseRoots: string[];
  readonly agentBin: string | undefined;
  readonly capabilities: string[];
  /** True: it answers PRD chats and takes no other task. */
  readonly prdOnly: boolean;
  readonly models: string[];
  readonly agentTimeoutMs: number;
  /** Variables that an agent receives although their names look like the worker's own. */
  readonly agentEnv: string[];
  readonly agentHome: 'user' | 'private';
  readonly allowCommand: boolean;
  /** Undefined: there is no endpoint, and therefore no agent `model`. */
  readonly model: ModelSettings | undefined;
  /** Prices of models, for agents that report none. */
  readonly prices: PriceTable;
  /** How gates and set-up of runs are run. */
  readonly gates: GateSettings;
  readonly maxOutputBytes: number;
  /** The repositories that may be cloned, and how. */
  readonly clones: ClonePolicy;
  /** Most seconds for one git command in a codebase's folder. */
  readonly gitTimeoutMs: number;
  /** Days that an unused clone is kept, and a folder that was kept after its run. */
  readonly keepMs: number;
  readonly sessionSyncMs: number;
  readonly killGraceMs: number;
  /** Limit of reports stored on disk while the service is unavailable. */
  readonly spoolMaxBytes: number;
  readonly drainMs: number;
  /** This worker's own folder below the data folder: two workers of one machine never share it. */
  readonly stateDir: string;
  /** Absolute paths reserved for the worker: its data folder, and the files of its secrets. */
  readonly privatePaths: string[];
  readonly logLevel: LogLevel;
  /** Undefined: pretty on a terminal, else JSON. */
  readonly logFormat: LogFormat | undefined;
  /** The collector of traces; undefined: none are recorded. */
  readonly traces: TraceSettings | undefined;
  /** The source of hints, if reachable; may hold a password. */
  readonly brokerUrl: string;
  /** True if the broker was configured explicitly: its absence is logged. */
  readonly brokerNamed: boolean;
}

type ShownSetting = SettingLine<WorkerSettingName>;

export interface LoadedSettings {
  readonly settings: WorkerSettings;
  readonly shown: ShownSetting[];
}

type Values = z.infer<typeof workerSettingsSchema>;

/**
 * Reads and checks every setting: flags over environment over config file over default.
 * @throws SettingsError with one line for the first setting that is unknown, malformed or missing
 */
export async function loadSettings(sources: SettingsSources): Promise<LoadedSettings> {
  const given = await gatherWorkerSettings(sources);
  const secretFiles = await Promise.all(secretForms.map(([secret, file]) => useSecretFile(given, secret, file)));
  if (!given.has('worker_name')) {
    given.set('worker_name', { value: sources.hostname, origin: 'default', base: sources.cwd });
  }
  const values = check(given);
  const path = (name: WorkerSettingName, value: string): string => resolve(given.get(name)?.base ?? sources.cwd, value);
  const settings: WorkerSettings = {
    serverUrl: values.server_url,
    token: values.token,
    workerName: values.worker_name,
    pollIntervalMs: values.poll_interval * 1000,
    slots: values.slots,
    codebases: await readCodebases(values, path, sources.cwd),
    codebaseRoots: values.codebase_roots.map((root) => (root === everyFolder ? root : path('codebase_roots', root))),
    agentBin: resolveAgentBin(values.agent_bin, (program) => path('agent_bin', program)),
    capabilities: values.capabilities,
    prdOnly: values.prd_only,
    models: values.models,
    agentTimeoutMs: values.agent_timeout_seconds * 1000,
    agentEnv: values.agent_env,
    agentHome: values.agent_home,
    allowCommand: values.allow_command,
    model: buildModelSettings(values),
    prices: await readPriceSetting(values.model_prices_file, (file) => path('model_prices_file', file)),
    gates: {
      mode: values.gates,
      network: values.gate_network,
      setupNetwork: values.setup_network,
      timeoutMs: values.gate_timeout_seconds * 1000,
      memoryMb: values.gate_memory_mb,
    },
    maxOutputBytes: values.max_output_bytes,
    clones: { from: values.clone_from, push: values.clone_push, timeoutMs: values.clone_timeout_seconds * 1000 },
    gitTimeoutMs: values.git_timeout_seconds * 1000,
    keepMs: values.keep_days * 86_400_000,
    sessionSyncMs: values.session_sync_seconds * 1000,
    killGraceMs: values.kill_grace_seconds * 1000,
    spoolMaxBytes: values.spool_max_bytes,
    drainMs: values.drain_seconds * 1000,
    stateDir: join(path('data_dir', values.data_dir), 'workers', folderName(values.worker_name)),
    privatePaths: [path('data_dir', values.data_dir), ...secretFiles.flat()],
    logLevel: values.log_level,
    logFormat: values.log_format,
    traces: toTraceSettings(values),
    brokerUrl: values.broker_url,
    brokerNamed: given.has('broker_url'),
  };
  return { settings, shown: show(values, given) };
}

/** A program or a template: its first word is a path if it has a slash, else a name looked up on PATH. */
function resolveAgentBin(agentBin: string | undefined, absolute: (program: string) => string): string | undefined {
  const [, mark = '', program = '', rest = ''] = /^(acp:)?([^ ]*)(.*)$/s.exec(agentBin ?? '') ?? [];
  return program.includes('/') ? `${mark}${absolute(program)}${rest}` : agentBin;
}

/** Replaces a secret's file by its content. @returns the path of that file, if there is one */
async function useSecretFile(
  given: WorkerSettingsLayer,
  secret: WorkerSettingName,
  name: WorkerSettingName,
): Promise<string[]> {
  const file = given.get(name);
  if (file === undefined || typeof file.value !== 'string') return [];
  const { origin, base } = file;
  const { path, text } = await readSecretFile(name, { file: file.value, origin, base }, settingsError);
  given.set(secret, { ...file, value: text.trim() });
  return [path];
}

async function readPriceSetting(file: string | undefined, absolute: (file: string) => string): Promise<PriceTable> {
  try {
    return await readPrices(file === undefined ? undefined : absolute(file));
  } catch (error) {
    if (error instanceof PricesUnreadable) throw new SettingsError(error.message, { cause: error });
    throw error;
  }
}

/** The built-in agent `model` is available if its endpoint is configured. */
function buildModelSettings(values: Values): ModelSettings | undefined {
  if (values.model_provider_endpoint === undefined) return undefined;
  return {
    endpoint: values.model_provider_endpoint,
    apiKey: values.model_provider_api_key,
    model: values.model_deployment_name,
    maxSteps: values.model_max_steps,
    maxTokens: values.model_max_tokens,
    shell: values.model_shell,
    shellNetwork: values.model_shell_network,
    rlm: toRlmSettings(values),
  };
}

function check(given: WorkerSettingsLayer): Values {
  const parsed = workerSettingsSchema.safeParse(
    Object.fromEntries([...given].map(([name, { value }]) => [name, value])),
  );
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const [name, ...inside] = issue?.path ?? [];
  if (issue === undefined || typeof name !== 'string' || !isWorkerSettingName(name)) throw parsed.error;
  const { env, write, secret } = workerSettingRows[name];
  const source = given.get(name);
  if (source === undefined) {
    throw new SettingsError(`${name} is not set: write ${write} (key ${name}${env === undefined ? '' : ` or ${env}`})`);
  }
  const field = inside.length === 0 ? name : `${name}.${inside.join('.')}`;
  const value = secret === true || inside.length > 0 ? '' : ` not ${JSON.stringify(source.value)}`;
  throw new SettingsError(`${field} (${source.origin}): ${issue.message}; write ${write}${value && `,${value}`}`);
}

/** The address of a codebase to be cloned, in its canonical form. */
function toCloneUrl(address: string, { clone_from: from }: Values): string {
  try {
    return allowedUrl(address, { from });
  } catch (error) {
    throw error instanceof WorkspaceError ? new SettingsError(error.message, { cause: error }) : error;
  }
}

async function readCodebases(
  values: Values,
  path: (name: WorkerSettingName, value: string) => string,
  cwd: string,
): Promise<CodebaseSetting[]> {
  const codebases: CodebaseSetting[] = values.codebases.map((entry) =>
    isGitUrl(entry.path)
      ? { ...entry, path: toCloneUrl(entry.path, values), name: entry.name ?? repositoryName(entry.path) }
      : { ...entry, path: path('codebases', entry.path), name: entry.name ?? basename(path('codebases', entry.path)) },
  );
  const dataDir = path('data_dir', values.data_dir);
  // A worker started in its own data folder, e.g. by a systemd unit, should not offer that folder.
  const defaultGlobal = values.global !== true ? undefined : isInside(cwd, dataDir) ? undefined : cwd;
  const global = typeof values.global === 'string' ? path('global', values.global) : defaultGlobal;
  if (global !== undefined && !codebases.some(({ codebase_id }) => codebase_id === 'global')) {
    codebases.push({ codebase_id: 'global', name: 'global', path: global });
  }
  for (const { name, path: folder } of codebases.filter((codebase) => !isGitUrl(codebase.path))) {
    if (isInside(folder, dataDir)) {
      throw new SettingsError(
        `codebase ${name}: ${folder} lies in the worker's own data folder ${dataDir}; name another folder, or another data_dir (DATA_DIR)`,
      );
    }
    const found = await stat(folder).catch(() => undefined);
    if (found?.isDirectory() === true) continue;
    throw new SettingsError(`codebase ${name}: ${folder} is not a folder; make it or write the path of one that is`);
  }
  return codebases;
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** A worker's name as a folder name; unsafe characters are replaced, and a hash keeps names distinct. */
function folderName(workerName: string): string {
  const plain = workerName.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 60);
  if (plain === workerName) return plain;
  return `${plain}-${sha256(workerName, 'hex').slice(0, 8)}`;
}

function show(values: Values, given: WorkerSettingsLayer): ShownSetting[] {
  const names = Object.keys(workerSettingSchemas).filter(isWorkerSettingName);
  return showSettings(names, workerSettingRows, given, (name) => values[name]);
}
