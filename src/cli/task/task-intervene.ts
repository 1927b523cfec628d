// The commands `task pause|resume|tell`: control a running agent, and wait for the result. choices-3.
import { setTimeout as delay } from 'node:timers/promises';
import { Command } from 'commander';
import { interventionAnswer, type InterventionWire } from '../../contracts/intervention.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, withConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes, type ExitCode } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { singleLine, printJson } from '../core/output.ts';
import { byId, createCliServiceClient, type CliServiceClient } from '../core/service-client.ts';
import { integerArgument } from '../flags/integer-argument.ts';

interface Flags extends ConnectionFlags {
  readonly json?: true;
  readonly wait: number;
}

type InterventionRequest = Pick<InterventionWire, 'action'> & { readonly message?: string };

/** How long to wait for the worker's answer: usually a moment by its push channel, at most a heartbeat. */
const defaultWaitSeconds = 10;
const pollMs = 200;

/** Texts for the reasons that a worker or the service gives. */
const reasonTexts: Readonly<Record<string, string>> = {
  agent_takes_no_messages: 'This agent does not accept messages while it runs.',
  cannot_pause: 'The worker cannot stop the processes of this agent.',
  run_ended: 'The run ended before its agent could receive it.',
  task_completed: 'The task completed before its agent could receive it.',
  task_failed: 'The task failed before its agent could receive it.',
  task_cancelled: 'The task was cancelled before its agent could receive it.',
};

export function interveneCommands(run: CommandContext): Command[] {
  return [
    actionCommand(run, 'pause', 'suspend every process of a running task’s agent, its lease and its time limit'),
    actionCommand(run, 'resume', 'resume a paused agent'),
    messageCommand(run),
  ];
}

function actionCommand(run: CommandContext, action: 'pause' | 'resume', summary: string): Command {
  return withWaitOption(newCommand(action, summary))
    .argument('<task>', 'id of the running task')
    .action(async (id: string, flags: Flags) => {
      await sendIntervention(run, id, { action }, flags);
    });
}

function messageCommand(run: CommandContext): Command {
  return withWaitOption(
    newCommand('tell', 'send a message to a task’s agent; a task that needs input takes it as the answer'),
  )
    .argument('<task>', 'id of the task')
    .argument('<message...>', 'the message, or - for standard input')
    .action(async (id: string, messageArgs: string[], flags: Flags) => {
      const text = messageArgs.join(' ');
      await sendIntervention(
        run,
        id,
        { action: 'message', message: text === '-' ? await run.io.readStdin() : text },
        flags,
      );
    });
}

function withWaitOption(base: Command): Command {
  const description = 'seconds to wait until the agent has received it; 0: do not wait';
  return withConnection(base).option('--wait <seconds>', description, integerArgument, defaultWaitSeconds);
}

async function sendIntervention(
  { io, end }: CommandContext,
  taskId: string,
  requested: InterventionRequest,
  flags: Flags,
): Promise<void> {
  const client = createCliServiceClient(await findConnection(io, flags), io);
  const call = client.api.POST('/v1/monitor/intervene', { body: { task_id: taskId, ...requested } });
  const { intervention } = await client.read(call, interventionAnswer);
  const settled = await waitUntilSettled(client, io, intervention, flags.wait * 1000);
  if (flags.json) printJson(io, { intervention: settled });
  else print(io, settled);
  end(toExitCode(settled));
}

function isOpen({ status }: InterventionWire): boolean {
  return status === 'queued' || status === 'sent';
}

/** Polls until the worker has answered or the time is over. */
async function waitUntilSettled(
  client: CliServiceClient,
  io: CliIo,
  initial: InterventionWire,
  waitMs: number,
): Promise<InterventionWire> {
  const until = io.now() + waitMs;
  let current = initial;
  while (isOpen(current) && io.now() < until) {
    await delay(Math.min(pollMs, Math.max(1, until - io.now())));
    const call = client.api.GET('/v1/monitor/interventions/{id}', byId(initial.id));
    current = (await client.read(call, interventionAnswer)).intervention;
  }
  return current;
}

function print(io: CliIo, intervention: InterventionWire): void {
  const { task_id: taskId, action, status, reason } = intervention;
  io.out(`${taskId} ${action} ${singleLine(reason === null ? status : `${status} (${reason})`)}\n`);
  if (isOpen(intervention))
    io.err(`Its agent has not answered yet. Watch for the answer: switchyard task watch ${taskId}\n`);
  else if (reason !== null && reasonTexts[reason] !== undefined) io.err(`${reasonTexts[reason]}\n`);
}

function toExitCode({ status }: InterventionWire): ExitCode {
  return status === 'failed' ? exitCodes.conflict : exitCodes.ok;
}
