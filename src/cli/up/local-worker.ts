// Plans the local worker of `up`: its environment, its folder, its agents.
import path from 'node:path';
import { withoutServiceSecrets } from '../../server/config/setting-layers.ts';
import { AgentMissing, detectAgents } from '../../worker/agents/detect.ts';
import { loadSettings } from '../../worker/settings/settings.ts';
import type { WorkerSettingName } from '../../worker/settings/settings-table.ts';
import { CliError } from '../core/cli-error.ts';
import { exitCodes } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { workerSources } from '../flags/worker-flags.ts';

export interface LocalWorkerPlan {
  /** Arguments of `switchyard`; none is secret. */
  readonly args: readonly string[];
  /** Complete except for A2A_SERVER_URL, which is known once the service listens. */
  readonly env: NodeJS.ProcessEnv;
  /** The folder of the first task's codebase; undefined when the worker's own config names others. */
  readonly folder: string | undefined;
  /** Agents in order of preference, with their versions if known. */
  readonly agents: readonly { readonly name: string; readonly version: string | undefined }[];
  /** True when no other agent was found and `up` enabled the agent `command`. choices-5. */
  readonly commandEnabled: boolean;
}

/**
 * Checks the worker's settings and detects agents; starts nothing.
 * @param token the credential of the local worker, passed in its environment
 * @param codebases folders given by `--codebase`; if empty, the folder in which `up` was started
 * @throws SettingsError; CliError when the configured agent is missing
 */
export async function planLocalWorker(
  io: CliIo,
  { codebases, dataDir, token }: { codebases: readonly string[]; dataDir: string; token: string },
): Promise<LocalWorkerPlan> {
  const base = workerEnvironment(io.env, dataDir, token);
  const { settings, shown } = await loadSettings(workerSources({ ...io, env: base }, {}));
  const isSet = (name: WorkerSettingName): boolean =>
    shown.some((setting) => setting.name === name && setting.origin !== 'default');
  const named = codebases.map((folder) => path.resolve(io.cwd, folder));
  const folders = named.length === 0 && !isSet('codebases') ? [io.cwd] : named;
  const { agentBin, allowCommand } = settings;
  const model = settings.model && { settings: settings.model, fetch: io.fetch };
  const found = await detectAgents({ agentBin, env: base, allowCommand, model }).catch((error: unknown) => {
    if (!(error instanceof AgentMissing)) throw error;
    throw new CliError(exitCodes.usage, 'agent_missing', error.message, '', { cause: error });
  });
  const commandEnabled = found.length === 0 && !isSet('allow_command');
  const agents = commandEnabled ? [{ name: 'command', version: undefined }] : found;
  return {
    args: ['worker', ...folders.flatMap((folder) => ['--codebase', folder])],
    env: {
      ...base,
      ...(commandEnabled && { A2A_WORKER_ALLOW_COMMAND: 'true' }),
      // The person who runs `up` owns this machine, so operators of the service may name any of its folders. choices-3.
      ...(!isSet('codebase_roots') && { A2A_WORKER_CODEBASE_ROOTS: '*' }),
    },
    folder: folders[0],
    agents: agents.map(({ name, version }) => ({ name, version })),
    commandEnabled,
  };
}

/** The environment of the worker process: without the service's secrets, with a token of its own. The address follows later. */
function workerEnvironment(env: NodeJS.ProcessEnv, dataDir: string, token: string): NodeJS.ProcessEnv {
  const { SWITCHYARD_TOKEN_FILE: _, ...rest } = withoutServiceSecrets(env);
  return { ...rest, A2A_SERVER_URL: 'http://127.0.0.1', SWITCHYARD_TOKEN: token, DATA_DIR: dataDir };
}
