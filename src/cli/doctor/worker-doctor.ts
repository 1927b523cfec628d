// The command `worker doctor`: can a worker do its work with these settings on this machine, and if not, what to do.
import type { Command } from 'commander';
import { AgentMissing, detectAgents } from '../../worker/agents/detect.ts';
import { loadSettings, type WorkerSettings } from '../../worker/settings/settings.ts';
import { SettingsError } from '../../worker/settings/settings-error.ts';
import { newCommand, type Run } from '../core/command.ts';
import { fail, ok, tellChecks, type Check } from '../core/doctor-check.ts';
import { checkEndpoint, checkPrograms, noAgents } from './doctor-agents.ts';
import { checkContainment, checkDisk, checkGit, checkNode } from './doctor-machine.ts';
import type { CliIo } from '../core/io.ts';
import { checkSecrets } from '../process/shown-secrets.ts';
import { checkBroker, checkService } from './worker-doctor-lines.ts';
import { checkCodebases, checkState } from './worker-doctor-places.ts';
import { withWorkerFlags, workerSources, type WorkerFlags } from '../flags/worker-flags.ts';

/** `worker doctor`, with the flags of `worker`. It exits with 0 when nothing has failed, else with 1. */
export function workerDoctorCommand({ io, end }: Run): Command {
  const command = newCommand('doctor', 'look whether a worker can work here with these settings');
  return withWorkerFlags(command).action(async (_flags: WorkerFlags, own: Command) => {
    // Flags may stand before the word `doctor` too.
    const flags: WorkerFlags = own.optsWithGlobals();
    end(tellChecks(io, await checkWorker(io, flags), flags['json'] === true));
  });
}

async function checkWorker(io: CliIo, flags: WorkerFlags): Promise<Check[]> {
  const machine = [checkNode(io.process.versions.node), await checkGit(io.env), await checkSecrets(io.env)];
  try {
    const { settings, shown } = await loadSettings(workerSources(io, flags));
    const origin = shown.find(({ name }) => name === 'server_url')?.origin ?? '';
    const found = `${settings.workerName}, ${settings.slots} at once, service ${settings.serverUrl} (${origin})`;
    return [
      ok('settings', found),
      ...machine,
      ...(await checkOwnAgents(io, settings)),
      await checkContainment(io.env, settings.agentEnv),
      ...(await checkService(io, settings)),
      ...(settings.brokerNamed ? [await checkBroker(settings.brokerUrl)] : []),
      ...(await checkCodebases(io.env, settings)),
      await checkState(settings),
      await checkDisk(settings.stateDir, 'Make room: work places and results need it.'),
    ];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const remedy = 'Mend the setting; `switchyard config print-worker` shows each with its origin.';
    return [fail('settings', error.message, remedy), ...machine, ...(await checkPrograms(io.env))];
  }
}

/** The agents that this worker would offer: the named one, or all that are found, then those that are built in. */
async function checkOwnAgents(io: CliIo, { agentBin, allowCommand, model }: WorkerSettings): Promise<Check[]> {
  const built = model === undefined ? [] : [await checkEndpoint(io, model)];
  if (allowCommand) built.push(ok('agent command', 'enabled: it runs what a prompt says'));
  if (agentBin === undefined) {
    const all = [...(await checkPrograms(io.env)), ...built];
    return all.length > 0 ? all : [noAgents()];
  }
  try {
    const [agent] = await detectAgents({ agentBin, env: io.env, allowCommand });
    if (agent === undefined || agent.name === 'command') return built;
    return [ok(`agent ${agent.name}`, `${agent.version ?? ''} at ${agent.program}`.trim()), ...built];
  } catch (error) {
    if (!(error instanceof AgentMissing)) throw error;
    return [
      fail('agents', error.message, 'Install one that works, or name another by agent_bin (A2A_AGENT_BIN).'),
      ...built,
    ];
  }
}
