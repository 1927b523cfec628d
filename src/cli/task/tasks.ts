// The commands `task list|show|cancel|retry|watch|answer` and `logs`, and the group of all `task` commands.
import { Command, Option } from 'commander';
import { taskAnswer, taskPage, taskStatus, type TaskWire } from '../../contracts/task.ts';
import { resolveCodebase } from './codebases.ts';
import { CliError } from '../core/cli-error.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, withConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import { createCommand } from './new-task.ts';
import { age, singleLine, printJson, shorten, table } from '../core/output.ts';
import { byId, createCliServiceClient, type CliServiceClient } from '../core/service-client.ts';
import { bulkCommand } from './task-bulk.ts';
import { attemptsCommand } from './task-attempts.ts';
import { interveneCommands } from './task-intervene.ts';
import { printLog } from './task-log.ts';
import { reviewCommand } from './task-review.ts';
import { showTask, type ShowFlags } from './task-show.ts';
import { waitForTask } from './task-wait.ts';
import { whyCommand } from './task-why.ts';
import { integerArgument } from '../flags/integer-argument.ts';

interface Flags extends ConnectionFlags {
  readonly json?: true;
}

interface ListFlags extends Flags {
  readonly status?: TaskWire['status'];
  readonly codebase?: string;
  readonly limit: number;
}

export function taskCommand(run: CommandContext): Command {
  const group = new Command('task').description('create, follow and control tasks');
  group.addCommand(createCommand(run));
  const commands = [list(run), show(run), whyCommand(run), cancel(run), retry(run), answer(run), watch(run)];
  for (const command of commands) group.addCommand(withConnection(command));
  const further = [...interveneCommands(run), bulkCommand(run), attemptsCommand(run), reviewCommand(run)];
  for (const command of further) group.addCommand(command);
  return group;
}

export function logsCommand({ io, end }: CommandContext): Command {
  const command = newCommand('logs', 'print the output of a task’s agent')
    .argument('<task>', 'id of the task')
    .option('-f, --follow', 'continue until the task ends')
    .action(async (id: string, flags: Flags & { follow?: true }) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      end(await printLog(client, io, id, { json: flags.json === true, follow: flags.follow === true }));
    });
  return withConnection(command);
}

function list({ io, end }: CommandContext): Command {
  return newCommand('list', 'list tasks, newest first')
    .addOption(new Option('--status <status>', 'only tasks in this state').choices(taskStatus.options))
    .option('--codebase <codebase>', 'only tasks of this codebase: id, name or path')
    .option('--limit <number>', 'how many, 1 to 200', integerArgument, 20)
    .action(async (flags: ListFlags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const { limit, status, codebase } = flags;
      const codebaseId = codebase === undefined ? undefined : await resolveCodebase(client, io, codebase);
      const query = {
        limit,
        status,
        codebase_id: codebaseId,
      };
      const page = await client.read(client.api.GET('/v1/agent/tasks', { params: { query } }), taskPage);
      if (flags.json) printJson(io, page);
      else io.out(taskTable(page.tasks, io.now()));
      end(exitCodes.ok);
    });
}

function taskTable(tasks: readonly TaskWire[], now: number): string {
  const rows = tasks.map((task) => [
    task.id,
    task.waiting_reason === undefined ? task.status : `${task.status} (${task.waiting_reason})`,
    age(task.created_at, now),
    shorten(task.title, 60),
  ]);
  return table(['ID', 'STATUS', 'AGE', 'TITLE'], rows);
}

function show({ io, end }: CommandContext): Command {
  return newCommand('show', 'show a task, its result and its artifacts')
    .argument('<task>', 'id of the task')
    .option('--diff', 'print the agent’s changes as a diff for `git apply`')
    .action(async (id: string, flags: Flags & ShowFlags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      end(await showTask(client, io, id, flags));
    });
}

function cancel({ io, end }: CommandContext): Command {
  return newCommand('cancel', 'cancel a task and kill its agent')
    .argument('<task>', 'id of the task')
    .option('--reason <text>', 'reason, stored with the task')
    .action(async (id: string, flags: Flags & { reason?: string }) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const body = flags.reason === undefined ? {} : { reason: flags.reason };
      const { task } = await client.read(
        client.api.POST('/v1/agent/tasks/{id}/cancel', { ...byId(id), body }),
        taskAnswer,
      );
      if (flags.json) printJson(io, { task });
      else io.out(`${task.id} ${task.status}\n`);
      end(exitCodes.ok);
    });
}

function retry({ io, end }: CommandContext): Command {
  return newCommand('retry', 'run a finished task again, as a new task')
    .argument('<task>', 'id of the finished task')
    .option('--follow', 'print events until the new task ends')
    .action(async (id: string, flags: Flags & { follow?: true }) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const { task } = await client.read(
        client.api.POST('/v1/agent/tasks/{id}/retry', { ...byId(id), body: {} }),
        taskAnswer,
      );
      if (flags.follow === true) {
        if (!flags.json) io.err(`task ${task.id}\n`);
        return end(await waitForTask(client, io, task.id, { json: flags.json === true, untilQuestion: true }));
      }
      if (flags.json) printJson(io, { task });
      else io.out(`${task.id}\n`);
      end(exitCodes.ok);
    });
}

function answer({ io, end }: CommandContext): Command {
  return newCommand('answer', 'answer a task that needs input')
    .argument('<task>', 'id of the task')
    .argument('[message...]', 'the answer')
    .option('--option <value>', 'answer with this option of the question, as `task show` prints it')
    .action(async (id: string, messageArgs: string[], flags: Flags & { option?: string }) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const body = answerBody(messageArgs.join(' '), flags.option);
      const { task } = await client.read(
        client.api.POST('/v1/agent/tasks/{id}/input', { ...byId(id), body }),
        taskAnswer,
      );
      if (flags.json) printJson(io, { task });
      else io.out(`${task.id} ${singleLine(task.status)}\n`);
      end(exitCodes.ok);
    });
}

/** @throws CliError usage unless it is exactly one of a message and an option */
function answerBody(message: string, option: string | undefined): { message: string } | { option: string } {
  if ((message === '') === (option === undefined)) {
    throw new CliError(
      exitCodes.usage,
      'bad_answer',
      'Give the answer, or --option with one of the question’s options.',
    );
  }
  return option === undefined ? { message } : { option };
}

function watch({ io, end }: CommandContext): Command {
  return newCommand('watch', 'print a task’s events until it ends; the exit code is its outcome')
    .argument('<task>', 'id of the task')
    .action(async (id: string, flags: Flags) => {
      const client: CliServiceClient = createCliServiceClient(await findConnection(io, flags), io);
      end(await waitForTask(client, io, id, { json: flags.json === true, untilQuestion: true }));
    });
}
