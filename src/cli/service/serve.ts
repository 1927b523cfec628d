// The command `serve`: the service, without a worker for tasks.
import type { Command } from 'commander';
import { newCommand, type CommandContext } from '../core/command.ts';
import { runUntilStopped } from '../process/run-until-stopped.ts';
import { loadServiceConfig, withServiceFlags, type ServiceFlags } from '../flags/service-flags.ts';

const tokenBytes = 32;

export function serveCommand({ io, end }: CommandContext): Command {
  const command = newCommand('serve', 'run the service without a worker').action(async (flags: ServiceFlags) => {
    io.ignoreBrokenPipe();
    const { startServing } = await import('./run-serve.ts');
    // The worker for PRD chats has a token of its own, which nobody is shown.
    const hasModel = (io.env['MODEL_PROVIDER_ENDPOINT'] ?? '') !== '';
    const prdWorkerToken = hasModel ? Buffer.from(io.randomBytes(tokenBytes)).toString('base64url') : undefined;
    const loaded = await loadServiceConfig(io, flags, prdWorkerToken);
    const json = flags['json'] === true;
    end(await runUntilStopped(io, (stop) => startServing(io, { loaded, prdWorkerToken, json, stop })));
  });
  return withServiceFlags(command);
}
