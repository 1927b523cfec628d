// The commands `doctor` and `worker doctor`: check whether the service or a worker can run here, and name remedies.
import type { Command } from 'commander';
import { newCommand, type CommandContext } from '../core/command.ts';
import { printChecks } from '../core/doctor-check.ts';
import { loadServiceConfig, withServiceFlags, type ServiceFlags } from '../flags/service-flags.ts';
import { withWorkerFlags, type WorkerFlags } from '../flags/worker-flags.ts';

export function doctorCommand({ io, end }: CommandContext): Command {
  const command = newCommand('doctor', 'check whether everything can run here').action(async (flags: ServiceFlags) => {
    const { config } = await loadServiceConfig(io, flags);
    const { checkAll } = await import('./run-doctor.ts');
    end(printChecks(io, await checkAll(io, config), flags['json'] === true));
  });
  return withServiceFlags(command);
}

/** `worker doctor` with the flags of `worker`. Exits with 0 if nothing has failed, else with 1. */
export function workerDoctorCommand({ io, end }: CommandContext): Command {
  const command = newCommand('doctor', 'check whether a worker can run here with these settings');
  return withWorkerFlags(command).action(async (_flags: WorkerFlags, subcommand: Command) => {
    // Flags may stand before the word `doctor`, too.
    const flags: WorkerFlags = subcommand.optsWithGlobals();
    const { checkWorker } = await import('./run-worker-doctor.ts');
    end(printChecks(io, await checkWorker(io, flags), flags['json'] === true));
  });
}
