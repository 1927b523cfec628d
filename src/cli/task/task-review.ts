// The command `task review`: sends comments on a task's changes to its agent as a follow-up. ui-6.6.8.
import type { Command } from 'commander';
import { taskAnswer } from '../../contracts/task.ts';
import { CliError } from '../core/cli-error.ts';
import { collect, newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, withConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import { printJson, singleLine } from '../core/output.ts';
import { createCliServiceClient } from '../core/service-client.ts';
import { waitForTask } from './task-wait.ts';

interface ReviewFlags extends ConnectionFlags {
  readonly json?: true;
  readonly comment?: string[];
  readonly message?: string;
  readonly agent?: string;
  readonly worker?: string;
  readonly idempotencyKey?: string;
  readonly follow?: true;
}

interface GivenComment {
  readonly path?: string;
  readonly side?: 'new';
  readonly line?: number;
  readonly end_line?: number;
  readonly text: string;
}

export function reviewCommand({ io, end }: CommandContext): Command {
  const command = newCommand('review', 'send comments on a task’s changes to its agent, as a new task')
    .argument('<task>', 'id of the finished task')
    .option('--comment <comment>', '"path:line: text", "path:line-line: text", or a text; may be repeated', collect)
    .option('--message <text>', 'comment on the whole change')
    .option('--agent <type>', 'another agent than that of the task')
    .option('--worker <id>', 'another worker than the one that holds the branch')
    .option('--idempotency-key <key>', 'repeated calls with the same key create one task')
    .option('--follow', 'print events until the new task ends; the exit code is its outcome')
    .action(async (id: string, flags: ReviewFlags) => {
      const { comment = [], message, agent, worker, idempotencyKey } = flags;
      if (comment.length === 0 && message === undefined) {
        throw new CliError(exitCodes.usage, 'no_comment', 'Give at least one --comment, or a --message.');
      }
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const body = { comments: comment.map(parseComment), message, agent, worker };
      const header = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey };
      const call = client.api.POST('/v1/agent/tasks/{id}/follow-up', { params: { path: { id }, header }, body });
      const { task } = await client.read(call, taskAnswer);
      if (flags.follow === true) {
        if (!flags.json) io.err(`task ${task.id}\n`);
        return end(await waitForTask(client, io, task.id, { json: flags.json === true, untilQuestion: true }));
      }
      if (flags.json) printJson(io, { task });
      else io.out(`${task.id}\n`);
      if (!flags.json) io.err(`${singleLine(task.title)}: follow it with switchyard task watch ${task.id}\n`);
      end(exitCodes.ok);
    });
  return withConnection(command);
}

/** A comment on lines of a file as they are after the change, or on the whole change. */
function parseComment(given: string): GivenComment {
  const [, path, line, endLine, text] = /^(.+?):(\d{1,9})(?:-(\d{1,9}))?:\s*(\S.*)$/s.exec(given) ?? [];
  if (path === undefined || text === undefined) return { text: given };
  return { path, side: 'new', line: Number(line), ...(endLine !== undefined && { end_line: Number(endLine) }), text };
}
