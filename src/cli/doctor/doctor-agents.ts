// Checks of `doctor` for the agents of a local worker: programs, the model's endpoint, the sandbox.
import { findAgentPrograms, locateSandbox, type FoundProgram } from '../../worker/agents/detect.ts';
import { describeShell } from '../../worker/agents/model/model-agent.ts';
import type { ModelSettings } from '../../worker/agents/model/model-settings.ts';
import { SettingsError } from '../../worker/settings/settings-error.ts';
import { loadSettings } from '../../worker/settings/settings.ts';
import { fail, ok, warn, type Check } from '../core/doctor-check.ts';
import type { CliIo } from '../core/io.ts';
import { workerSources } from '../flags/worker-flags.ts';

const deadlineMs = 5_000;
const install = 'Install opencode, codex, claude, gemini or pi, or set MODEL_PROVIDER_ENDPOINT';

/** One result per agent program on the PATH. */
export async function checkPrograms(env: NodeJS.ProcessEnv): Promise<Check[]> {
  return (await findAgentPrograms(env)).map(checkProgram);
}

function checkProgram({ name, program, needs, version, problem }: FoundProgram): Check {
  const title = `agent ${name}`;
  const from = needs === undefined ? '' : ` (${needs.oldest} or newer works)`;
  if (problem === undefined) return ok(title, `${version ?? 'of an unknown version,'} at ${program.path}${from}`);
  const [why = ''] = problem.message.split('\n', 1);
  if (problem.kind === 'broken' || needs === undefined) {
    return warn(title, `${program.path} does not run: ${why}`, `Repair or remove ${name}.`);
  }
  const remedy = `Install ${name} ${needs.oldest} or newer (npm install -g ${needs.npmPackage}), or remove it.`;
  return fail(title, `${program.path} cannot do tasks: ${why}`, remedy);
}

/** The result for a machine without any agent. */
export function noAgents(): Check {
  return warn('agents', 'no agent program on the PATH', `${install}; without one \`up\` enables the agent "command".`);
}

/** One result per agent program and for the model's endpoint, or one if there is neither. */
export async function checkAgents(io: Pick<CliIo, 'env' | 'cwd' | 'hostname' | 'fetch'>): Promise<Check[]> {
  const checks = [...(await checkPrograms(io.env)), ...(await checkModel(io))];
  return checks.length > 0 ? checks : [noAgents()];
}

/** The agent `model`, if the environment or a config file names its endpoint. */
async function checkModel(io: Pick<CliIo, 'env' | 'cwd' | 'hostname' | 'fetch'>): Promise<Check[]> {
  // A worker needs both to start; checking its agents needs neither.
  const { SWITCHYARD_TOKEN_FILE: _, ...rest } = io.env;
  const env = { ...rest, A2A_SERVER_URL: 'http://127.0.0.1', SWITCHYARD_TOKEN: 'none' };
  const sources = workerSources({ ...io, env }, {});
  try {
    const { model } = (await loadSettings(sources)).settings;
    return model === undefined ? [] : [await checkEndpoint(io, model)];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return [fail('worker settings', error.message, 'Fix it: a worker started here exits at once.')];
  }
}

/** Checks that the endpoint of the agent `model` answers and accepts the key, and how its shell is confined. */
export async function checkEndpoint(
  { env, fetch }: Pick<CliIo, 'env' | 'fetch'>,
  model: ModelSettings,
): Promise<Check> {
  const found = `${model.model ?? 'no model of its own'} at ${new URL(model.endpoint).host}`;
  const shell = describeShell(model, await locateSandbox(env));
  try {
    const response = await fetch(`${model.endpoint.replace(/\/+$/, '')}/models`, {
      headers: model.apiKey === undefined ? {} : { authorization: `Bearer ${model.apiKey}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(deadlineMs),
    });
    await response.body?.cancel();
    if (response.status === 401 || response.status === 403) {
      return warn('agent model', `${found} refuses the key (${response.status})`, 'Set MODEL_PROVIDER_API_KEY.');
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return warn('agent model', `${found} does not answer: ${why}`, 'Check MODEL_PROVIDER_ENDPOINT.');
  }
  return ok('agent model', `${found}; ${shell}`);
}
