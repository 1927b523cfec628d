// The command `up`, which is `npm start`: the service, one local worker beside it, and a first task to paste.
import type { Command } from 'commander';
import { collect, newCommand, type CommandContext } from '../core/command.ts';
import { runUntilStopped } from '../process/run-until-stopped.ts';
import { loadServiceConfig, withServiceFlags, type ServiceFlags } from '../flags/service-flags.ts';

interface UpFlags extends ServiceFlags {
  readonly json?: true;
  readonly codebase?: string[];
}

const tokenBytes = 32;

export function upCommand({ io, end }: CommandContext): Command {
  const command = newCommand('up', 'run the service and a local worker for the current folder')
    .option('--codebase <folder>', 'folder for the local worker; may be repeated', collect)
    .action(async (flags: UpFlags) => {
      io.ignoreBrokenPipe();
      const [{ planLocalWorker }, { startServiceAndWorker }] = await Promise.all([
        import('./local-worker.ts'),
        import('./run-up.ts'),
      ]);
      const token = Buffer.from(io.randomBytes(tokenBytes)).toString('base64url');
      const loaded = await loadServiceConfig(io, flags, token);
      const { dataDir } = loaded.config;
      const plan = await planLocalWorker(io, { codebases: flags.codebase ?? [], dataDir, token });
      const json = flags.json === true;
      end(await runUntilStopped(io, (stop) => startServiceAndWorker(io, { loaded, plan, json, stop })));
    });
  return withServiceFlags(command);
}
