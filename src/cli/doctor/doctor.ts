// The command `doctor`: checks whether everything can run here, and names remedies.
import type { Command } from 'commander';
import { newCommand, type CommandContext } from '../core/command.ts';
import { printChecks } from '../core/doctor-check.ts';
import { loadServiceConfig, withServiceFlags, type ServiceFlags } from '../flags/service-flags.ts';

export function doctorCommand({ io, end }: CommandContext): Command {
  const command = newCommand('doctor', 'check whether everything can run here').action(async (flags: ServiceFlags) => {
    const { config } = await loadServiceConfig(io, flags);
    const { checkAll } = await import('./run-doctor.ts');
    end(printChecks(io, await checkAll(io, config), flags['json'] === true));
  });
  return withServiceFlags(command);
}
