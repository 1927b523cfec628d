// Following a task on the command line, and what its end means for the exit code.
import { taskAnswer, type TaskWire } from '../../contracts/task.ts';
import { exitCodes, type ExitCode } from '../core/exit-codes.ts';
import { ownProgram } from './first-task.ts';
import { followTask } from './follow.ts';
import type { CliIo } from '../core/io.ts';
import { printJson } from '../core/output.ts';
import { byId, type ServiceClient } from '../core/service-client.ts';
import { createEventPrinter } from './show-event.ts';

/** How a task is followed: as lines for people or as JSON, and whether a question ends it. */
export interface WaitOptions {
  readonly json: boolean;
  /** True: a task that waits for an answer ends the wait, with an exit code of its own. */
  readonly untilQuestion: boolean;
}

const codeByStatus: Partial<Record<TaskWire['status'], ExitCode>> = {
  completed: exitCodes.ok,
  failed: exitCodes.failed,
  cancelled: exitCodes.failed,
  needs_input: exitCodes.needsInput,
};

/** Prints a task's events until it ends. @returns the exit code that its end means */
export async function waitForTask(
  client: ServiceClient,
  io: CliIo,
  taskId: string,
  options: WaitOptions,
): Promise<ExitCode> {
  const interrupt = new AbortController();
  const onSignal = (): void => interrupt.abort();
  io.process.once('SIGINT', onSignal);
  try {
    const left = await print(client, io, taskId, options, interrupt.signal);
    if (interrupt.signal.aborted) {
      io.err('\nNot followed any more; the task goes on.\n');
      return exitCodes.interrupted;
    }
    const { task } = await client.read(client.api.GET('/v1/agent/tasks/{id}', byId(taskId)), taskAnswer);
    if (!options.json) await conclude(io, task, left);
    return codeByStatus[task.status] ?? exitCodes.failed;
  } finally {
    io.process.off('SIGINT', onSignal);
  }
}

/** What following has seen that the end should tell of. */
interface Left {
  diff: boolean;
}

async function print(
  client: ServiceClient,
  io: CliIo,
  taskId: string,
  { json, untilQuestion }: WaitOptions,
  signal: AbortSignal,
): Promise<Left> {
  const left: Left = { diff: false };
  const printer = createEventPrinter(io);
  const onCut = (line: string): void => (json ? undefined : printer.note(`· ${line}`));
  for await (const event of followTask({ client, taskId, signal, onCut, now: io.now })) {
    if (json) printJson(io, event);
    else printer.show(event);
    left.diff ||= event.type === 'artifact' && event.data.name === 'diff';
    // Asked on purpose after it was printed: an answered question of the past is followed by `pending`.
    if (untilQuestion && event.type === 'status' && event.data.status === 'needs_input') {
      const { task } = await client.read(client.api.GET('/v1/agent/tasks/{id}', byId(taskId)), taskAnswer);
      if (task.status === 'needs_input') return left;
    }
  }
  return left;
}

async function conclude(io: CliIo, task: TaskWire, left: Left): Promise<void> {
  const program = await ownProgram(io);
  if (task.status === 'needs_input') io.err(`The task waits for an answer: ${program} task answer ${task.id} '…'\n`);
  else if (left.diff) io.err(`What it changed: ${program} task show ${task.id} --diff\n`);
}
