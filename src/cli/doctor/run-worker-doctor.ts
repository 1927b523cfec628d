// Runs all checks of `worker doctor`, in the order in which they are printed.
import { AgentMissing, detectAgents } from '../../worker/agents/detect.ts';
import { loadSettings, type WorkerSettings } from '../../worker/settings/settings.ts';
import { SettingsError } from '../../worker/settings/settings-error.ts';
import { fail, ok, type Check } from '../core/doctor-check.ts';
import { checkEndpoint, checkPrograms, noAgents } from './doctor-agents.ts';
import { checkContainment, checkDisk, checkGit, checkNode } from './doctor-machine.ts';
import type { CliIo } from '../core/io.ts';
import { checkSecrets } from '../process/exposed-secrets.ts';
import { checkBroker, checkService } from './worker-doctor-network.ts';
import { checkRuns } from './doctor-runs.ts';
import { checkCodebases, checkState } from './worker-doctor-disk.ts';
import { workerSources, type WorkerFlags } from '../flags/worker-flags.ts';

export async function checkWorker(io: CliIo, flags: WorkerFlags): Promise<Check[]> {
  const machine = [checkNode(io.process.versions.node), await checkGit(io.env), await checkSecrets(io.env)];
  try {
    const { settings, shown } = await loadSettings(workerSources(io, flags));
    const origin = shown.find(({ name }) => name === 'server_url')?.origin ?? '';
    const found = `${settings.workerName}, ${settings.slots} at once, service ${settings.serverUrl} (${origin})`;
    return [
      ok('settings', found),
      ...machine,
      ...(await checkOfferedAgents(io, settings)),
      await checkContainment(io.env, settings.agentEnv),
      ...(await checkService(io, settings)),
      ...(settings.brokerNamed ? [await checkBroker(settings.brokerUrl)] : []),
      ...(await checkCodebases(io.env, settings)),
      ...(await checkRuns(io, settings)),
      await checkState(settings),
      await checkDisk(settings.stateDir, 'Free disk space: workspaces and results need it.'),
    ];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const remedy = 'Fix the setting; `switchyard config print-worker` shows each with its origin.';
    return [fail('settings', error.message, remedy), ...machine, ...(await checkPrograms(io.env))];
  }
}

/** The agents that this worker would offer: the configured one, or all that are found, then the built-in ones. */
async function checkOfferedAgents(io: CliIo, { agentBin, allowCommand, model }: WorkerSettings): Promise<Check[]> {
  const builtIn = model === undefined ? [] : [await checkEndpoint(io, model)];
  if (allowCommand) builtIn.push(ok('agent command', 'enabled: it runs the commands in a prompt'));
  if (agentBin === undefined) {
    const all = [...(await checkPrograms(io.env)), ...builtIn];
    return all.length > 0 ? all : [noAgents()];
  }
  try {
    const [agent] = await detectAgents({ agentBin, env: io.env, allowCommand });
    if (agent === undefined || agent.name === 'command') return builtIn;
    return [ok(`agent ${agent.name}`, `${agent.version ?? ''} at ${agent.program}`.trim()), ...builtIn];
  } catch (error) {
    if (!(error instanceof AgentMissing)) throw error;
    return [
      fail('agents', error.message, 'Install one that works, or name another by agent_bin (A2A_AGENT_BIN).'),
      ...builtIn,
    ];
  }
}
