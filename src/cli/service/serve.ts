// The command `serve`: the service alone.
import type { Command } from 'commander';
import { newCommand, type CommandContext } from '../core/command.ts';
import { runUntilStopped } from '../process/run-until-stopped.ts';
import { loadServiceConfig, withServiceFlags, type ServiceFlags } from '../flags/service-flags.ts';

export function serveCommand({ io, end }: CommandContext): Command {
  const command = newCommand('serve', 'run the service without a worker').action(async (flags: ServiceFlags) => {
    io.ignoreBrokenPipe();
    const { startService } = await import('./start-service.ts');
    const loaded = await loadServiceConfig(io, flags);
    end(await runUntilStopped(io, (stop) => startService(io, loaded, { json: flags['json'] === true, stop })));
  });
  return withServiceFlags(command);
}
