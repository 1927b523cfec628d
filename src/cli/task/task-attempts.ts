// The command `task attempts`: lists the attempts of a task, and what ended each of them.
import type { Command } from 'commander';
import { taskAttemptList } from '../../contracts/results/output.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, withConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import { printJson, shorten, table } from '../core/output.ts';
import { byId, createCliServiceClient } from '../core/service-client.ts';

interface Flags extends ConnectionFlags {
  readonly json?: true;
}

export function attemptsCommand({ io, end }: CommandContext): Command {
  const command = newCommand('attempts', 'list the attempts of a task and what ended them')
    .argument('<task>', 'id of the task')
    .action(async (id: string, flags: Flags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const list = await client.read(client.api.GET('/v1/agent/tasks/{id}/attempts', byId(id)), taskAttemptList);
      if (flags.json) printJson(io, list);
      else {
        const rows = list.attempts.map((attempt) => [
          attempt.run_id,
          String(attempt.attempt),
          attempt.worker_id,
          attempt.started_at,
          attempt.outcome ?? 'running',
          attempt.error === null ? '' : shorten(`${attempt.error.code}: ${attempt.error.message}`, 60),
        ]);
        io.out(table(['RUN', 'ATTEMPT', 'WORKER', 'STARTED', 'OUTCOME', 'ERROR'], rows));
      }
      end(exitCodes.ok);
    });
  return withConnection(command);
}
