// The commands `task pause|resume|tell`: a person steps in while an agent works, and sees how far it got. choices §3.
import { setTimeout as delay } from 'node:timers/promises';
import { Command } from 'commander';
import { interventionAnswer, type InterventionWire } from '../../contracts/intervention.ts';
import { newCommand, type Run } from '../core/command.ts';
import { findConnection, withConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes, type ExitCode } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { plain, printJson } from '../core/output.ts';
import { byId, createServiceClient, type ServiceClient } from '../core/service-client.ts';
import { wholeNumber } from '../flags/whole-number.ts';

interface Flags extends ConnectionFlags {
  readonly json?: true;
  readonly wait: number;
}

type Asked = Pick<InterventionWire, 'action'> & { readonly message?: string };

/** How long a worker is given to say that its agent has it; its push channel takes a moment, a heartbeat longer. */
const usualWaitSeconds = 10;
const lookAgainMs = 200;

/** What the agent's worker says, or the service in its place. */
const meanings: Readonly<Record<string, string>> = {
  agent_takes_no_messages: 'This agent takes no messages while it works.',
  cannot_pause: 'The worker cannot stop the processes of this agent.',
  run_ended: 'The run had ended before its agent could have it.',
  task_completed: 'The task had completed before its agent could have it.',
  task_failed: 'The task had failed before its agent could have it.',
  task_cancelled: 'The task was cancelled before its agent could have it.',
};

export function interveneCommands(run: Run): Command[] {
  return [
    command(run, 'pause', 'stop every process of a running task’s agent; its lease and its time limit are held'),
    command(run, 'resume', 'let a paused agent go on'),
    tell(run),
  ];
}

function command(run: Run, action: 'pause' | 'resume', summary: string): Command {
  return waiting(newCommand(action, summary))
    .argument('<task>', 'id of the running task')
    .action(async (id: string, flags: Flags) => {
      await stepIn(run, id, { action }, flags);
    });
}

function tell(run: Run): Command {
  return waiting(newCommand('tell', 'say something to a task’s agent; a task that asks takes it as the answer'))
    .argument('<task>', 'id of the task')
    .argument('<message...>', 'what to say, or - for standard input')
    .action(async (id: string, words: string[], flags: Flags) => {
      const text = words.join(' ');
      await stepIn(run, id, { action: 'message', message: text === '-' ? await run.io.readStdin() : text }, flags);
    });
}

function waiting(base: Command): Command {
  const words = 'how long to wait for the agent to have it, in seconds; 0: not at all';
  return withConnection(base).option('--wait <seconds>', words, wholeNumber, usualWaitSeconds);
}

async function stepIn({ io, end }: Run, taskId: string, asked: Asked, flags: Flags): Promise<void> {
  const client = createServiceClient(await findConnection(io, flags), io);
  const call = client.api.POST('/v1/monitor/intervene', { body: { task_id: taskId, ...asked } });
  const { intervention } = await client.read(call, interventionAnswer);
  const settled = await settle(client, io, intervention, flags.wait * 1000);
  if (flags.json) printJson(io, { intervention: settled });
  else print(io, settled);
  end(codeOf(settled));
}

function isOpen({ status }: InterventionWire): boolean {
  return status === 'queued' || status === 'sent';
}

/** How far it is when the worker has answered, or the time is over. */
async function settle(
  client: ServiceClient,
  io: CliIo,
  given: InterventionWire,
  waitMs: number,
): Promise<InterventionWire> {
  const until = io.now() + waitMs;
  let known = given;
  while (isOpen(known) && io.now() < until) {
    await delay(Math.min(lookAgainMs, Math.max(1, until - io.now())));
    const call = client.api.GET('/v1/monitor/interventions/{id}', byId(given.id));
    known = (await client.read(call, interventionAnswer)).intervention;
  }
  return known;
}

function print(io: CliIo, told: InterventionWire): void {
  const { task_id: taskId, action, status, reason } = told;
  io.out(`${taskId} ${action} ${plain(reason === null ? status : `${status} (${reason})`)}\n`);
  if (isOpen(told)) io.err(`Its agent has not answered yet: switchyard task watch ${taskId} tells when it does.\n`);
  else if (reason !== null && meanings[reason] !== undefined) io.err(`${meanings[reason]}\n`);
}

function codeOf({ status }: InterventionWire): ExitCode {
  return status === 'failed' ? exitCodes.conflict : exitCodes.ok;
}
