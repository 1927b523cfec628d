// Follows a run on the command line, and turns its outcome into an exit code.
import { followRun, isConnectionError, type RunStreamEvent } from '../../client/follow.ts';
import { runAnswer, runStatus, type RunWire } from '../../contracts/ralph/run.ts';
import { sleep } from '../../lib/wait.ts';
import { CliError } from '../core/cli-error.ts';
import { exitCodes, type ExitCode } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { printJson } from '../core/output.ts';
import { byId, type CliServiceClient } from '../core/service-client.ts';
import { programCommand } from '../task/first-task.ts';
import { createLiveTable } from './live-table.ts';
import { runEventLine } from './run-event-line.ts';
import { runQuestionText } from './run-table.ts';

const codeByStatus: Partial<Record<RunWire['status'], ExitCode>> = {
  completed: exitCodes.ok,
  failed: exitCodes.failed,
  cancelled: exitCodes.failed,
  needs_input: exitCodes.needsInput,
};

/** The shortest and the longest time between two drawings: an agent's output is no event of its run. */
const redrawMs = { fastest: 250, slowest: 2000 } as const;

export async function readRun(client: CliServiceClient, runId: string): Promise<RunWire> {
  return (await client.read(client.api.GET('/v1/ralph/runs/{id}', byId(runId)), runAnswer)).run;
}

/**
 * Shows a run until it ends or asks: a table in a terminal, one line an event elsewhere.
 * @returns 0 completed, 1 failed or cancelled, 7 waits for an answer, 130 after Ctrl-C
 */
export async function waitForRun(
  client: CliServiceClient,
  io: CliIo,
  runId: string,
  { json }: { readonly json: boolean },
): Promise<ExitCode> {
  const interrupt = new AbortController();
  const onSignal = (): void => interrupt.abort();
  io.process.once('SIGINT', onSignal);
  try {
    const show = json ? printJsonEvents : io.terminal.out ? drawTable : printEventLines;
    const status = await show({ client, io, runId, signal: interrupt.signal });
    const program = await programCommand(io);
    if (interrupt.signal.aborted) {
      io.err(`\nStopped watching; the run goes on. Watch it again: ${program} ralph watch ${runId}\n`);
      return exitCodes.interrupted;
    }
    if (!json) await printEnd(client, io, runId, program);
    return codeByStatus[status] ?? exitCodes.failed;
  } finally {
    io.process.off('SIGINT', onSignal);
  }
}

interface Watching {
  readonly client: CliServiceClient;
  readonly io: CliIo;
  readonly runId: string;
  readonly signal: AbortSignal;
}

type Status = RunWire['status'];

async function printJsonEvents(watching: Watching): Promise<Status> {
  return followUntilRest(
    watching,
    (event) => printJson(watching.io, event),
    () => undefined,
  );
}

async function printEventLines(watching: Watching): Promise<Status> {
  const { io } = watching;
  const show = (event: RunStreamEvent): void => {
    const line = runEventLine(event);
    if (line !== undefined) io.out(`${line}\n`);
  };
  return followUntilRest(watching, show, (line) => io.err(`${line}\n`));
}

/** The table is read anew after events, and every two seconds for the last line of each agent. */
async function drawTable(watching: Watching): Promise<Status> {
  const { client, io, runId, signal } = watching;
  const { stdout } = io.process;
  // A terminal of unknown size reports 0.
  const table = createLiveTable(io, () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }));
  const ended = new AbortController();
  let changed = Promise.withResolvers<void>();
  const draw = async (): Promise<void> => {
    const run = await readRun(client, runId).catch((error: unknown) => {
      // The stream of events meets the same error, and reports it or tries again.
      if (error instanceof CliError) return undefined;
      throw error;
    });
    if (run !== undefined && !signal.aborted) table.draw(run);
  };
  const keepDrawing = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await draw();
      await Promise.race([changed.promise, sleep(redrawMs.slowest, ended.signal)]);
      changed = Promise.withResolvers<void>();
      await sleep(redrawMs.fastest, ended.signal);
    }
  };
  const drawing = keepDrawing();
  try {
    return await followUntilRest(
      watching,
      () => changed.resolve(),
      () => undefined,
    );
  } finally {
    ended.abort();
    await drawing;
    await draw();
  }
}

/** Shows each event, until the run is over or waits for an answer. @returns its status then */
async function followUntilRest(
  { client, runId, signal }: Watching,
  show: (event: RunStreamEvent) => void,
  report: (line: string) => void,
): Promise<Status> {
  const onReconnect = (error: Error, lastSeq: number): void =>
    report(`The stream was cut (${error.message}); going on from event ${lastSeq}.`);
  const { status: first } = await readRun(client, runId);
  let status = first;
  for await (const event of followRun({ client: client.api, runId, signal, onReconnect, isTransient })) {
    show(event);
    if (event.type !== 'run') continue;
    status = runStatus.safeParse(event.data['status']).data ?? status;
    // Read after the event was shown: a question that was answered since is followed by `running`.
    if (status === 'needs_input' && (await readRun(client, runId)).status === 'needs_input') return status;
  }
  return status;
}

function isTransient(error: Error): boolean {
  if (error instanceof CliError) return error.exitCode === exitCodes.unreachable && error.code !== 'not_switchyard';
  return isConnectionError(error);
}

async function printEnd(client: CliServiceClient, io: CliIo, runId: string, program: string): Promise<void> {
  const run = await readRun(client, runId);
  if (run.error !== null) io.err(`${run.error.code}: ${run.error.message}\n`);
  for (const question of run.questions) io.err(runQuestionText(runId, question, program));
  if (run.status === 'completed') {
    io.err(`Branch ${run.branch_name}. Show its changes: ${program} ralph diff ${runId}\n`);
  }
}
