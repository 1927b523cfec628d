// The command `worker drain`: the service gives a worker nothing more, and the worker finishes what it runs.
import type { Command } from 'commander';
import { workerAnswer } from '../../contracts/worker.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, withConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import { printJson, singleLine } from '../core/output.ts';
import { byId, createCliServiceClient } from '../core/service-client.ts';
import { tenantHeaders, withTenantFlag, type TenantFlag } from '../flags/tenant-flag.ts';

export function workerDrainCommand({ io, end }: CommandContext): Command {
  const command = newCommand('drain', 'give a worker no more tasks; it keeps what it runs until it registers anew');
  withTenantFlag(withConnection(command))
    .argument('<worker>', 'its id')
    .action(async (id: string, _own: object, subcommand: Command) => {
      // `worker` has flags of the same names, which take them where they stand before the word `drain`.
      const flags: ConnectionFlags & TenantFlag & { json?: true } = subcommand.optsWithGlobals();
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const call = client.api.POST('/v1/agent/workers/{id}/drain', {
        ...byId(id),
        body: {},
        headers: tenantHeaders(flags),
      });
      const { worker } = await client.read(call, workerAnswer);
      if (flags.json) printJson(io, { worker });
      else io.out(`drained ${worker.worker_id}  ${singleLine(worker.name)}, ${worker.running} running\n`);
      end(exitCodes.ok);
    });
  return command;
}
