// The command `worker doctor`: checks whether a worker can run with these settings here, and names remedies.
import type { Command } from 'commander';
import { newCommand, type CommandContext } from '../core/command.ts';
import { printChecks } from '../core/doctor-check.ts';
import { withWorkerFlags, type WorkerFlags } from '../flags/worker-flags.ts';

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
