// The command `task why`: why a task waits, worker by worker, and what to do about it. ui-6.7.
import type { Command } from 'commander';
import { taskWhy, type TaskWhyWire } from '../../contracts/task.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import { printJson, singleLine, table } from '../core/output.ts';
import { byId, createCliServiceClient } from '../core/service-client.ts';

interface WhyFlags extends ConnectionFlags {
  readonly json?: true;
}

export function whyCommand({ io, end }: CommandContext): Command {
  return newCommand('why', 'explain why a task waits, worker by worker')
    .argument('<task>', 'id of the task')
    .action(async (id: string, flags: WhyFlags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const why = await client.read(client.api.GET('/v1/agent/tasks/{id}/why', byId(id)), taskWhy);
      if (flags.json) printJson(io, why);
      else io.out(whyText(why));
      end(exitCodes.ok);
    });
}

function whyText({ reason, ahead, workers, remedy }: TaskWhyWire): string {
  const waits = reason === null ? '' : `${reason}${ahead === 0 ? '' : `, ${ahead} ahead`}\n`;
  const rows = workers.map(({ worker_id, name, because, at }) => [
    worker_id,
    name,
    because === null ? 'can take it' : `${because}${at === null ? '' : ` ${at}`}`,
  ]);
  const list = rows.length === 0 ? '' : `\n${table(['WORKER', 'NAME', 'STATE'], rows)}\n`;
  return `${waits}${list}${singleLine(remedy)}\n`;
}
