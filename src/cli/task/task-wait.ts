// Follows a task on the command line, and turns its outcome into an exit code.
import { taskAnswer, type TaskWire } from '../../contracts/task.ts';
import { exitCodes, type ExitCode } from '../core/exit-codes.ts';
import { programCommand } from './first-task.ts';
import { followTaskEvents } from './follow.ts';
import type { CliIo } from '../core/io.ts';
import { printJson } from '../core/output.ts';
import { byId, type CliServiceClient } from '../core/service-client.ts';
import { createEventPrinter } from './event-printer.ts';

/** How a task is followed: as text or as JSON, and whether a question ends it. */
export interface WaitOptions {
  readonly json: boolean;
  /** True: a task that needs input ends the wait, with an exit code of its own. */
  readonly untilQuestion: boolean;
}

const codeByStatus: Partial<Record<TaskWire['status'], ExitCode>> = {
  completed: exitCodes.ok,
  failed: exitCodes.failed,
  cancelled: exitCodes.failed,
  needs_input: exitCodes.needsInput,
};

/** Prints a task's events until it ends. @returns the exit code of its outcome */
export async function waitForTask(
  client: CliServiceClient,
  io: CliIo,
  taskId: string,
  options: WaitOptions,
): Promise<ExitCode> {
  const interrupt = new AbortController();
  const onSignal = (): void => interrupt.abort();
  io.process.once('SIGINT', onSignal);
  try {
    const summary = await printEvents(client, io, taskId, options, interrupt.signal);
    if (interrupt.signal.aborted) {
      io.err('\nStopped following; the task continues.\n');
      return exitCodes.interrupted;
    }
    const { task } = await client.read(client.api.GET('/v1/agent/tasks/{id}', byId(taskId)), taskAnswer);
    if (!options.json) await printNextStep(io, task, summary);
    return codeByStatus[task.status] ?? exitCodes.failed;
  } finally {
    io.process.off('SIGINT', onSignal);
  }
}

/** Facts collected while following, for the summary. */
interface FollowSummary {
  diff: boolean;
}

async function printEvents(
  client: CliServiceClient,
  io: CliIo,
  taskId: string,
  { json, untilQuestion }: WaitOptions,
  signal: AbortSignal,
): Promise<FollowSummary> {
  const summary: FollowSummary = { diff: false };
  const printer = createEventPrinter(io);
  const onReconnect = (line: string): void => (json ? undefined : printer.note(`· ${line}`));
  for await (const event of followTaskEvents({ client, taskId, signal, onReconnect, now: io.now })) {
    if (json) printJson(io, event);
    else printer.show(event);
    summary.diff ||= event.type === 'artifact' && event.data.name === 'diff';
    // Queried after the event was printed: a question that was answered since is followed by `pending`.
    if (untilQuestion && event.type === 'status' && event.data.status === 'needs_input') {
      const { task } = await client.read(client.api.GET('/v1/agent/tasks/{id}', byId(taskId)), taskAnswer);
      if (task.status === 'needs_input') return summary;
    }
  }
  return summary;
}

async function printNextStep(io: CliIo, task: TaskWire, summary: FollowSummary): Promise<void> {
  const program = await programCommand(io);
  if (task.status === 'needs_input') io.err(`The task needs an answer: ${program} task answer ${task.id} '…'\n`);
  else if (summary.diff) io.err(`Show its changes: ${program} task show ${task.id} --diff\n`);
}
