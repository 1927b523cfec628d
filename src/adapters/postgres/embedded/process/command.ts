// Runs one short program to its end, with a deadline, and returns its output.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

/** The program to run; `ids` are the user and group to run as, if not this process's own. */
interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly ids?: { readonly uid: number; readonly gid: number } | undefined;
  readonly input?: string;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** `exitCode` is null when the program was killed or never ran; `spawnError` says why it never ran. */
export interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly spawnError?: Error;
}

/** Runs the program and waits for its end; past the deadline or on abort it is killed first. Never rejects. */
export async function runCommand(command: Command): Promise<CommandResult> {
  const stops = [AbortSignal.timeout(command.deadlineMs), ...(command.signal ? [command.signal] : [])];
  try {
    return await collect(start(command, AbortSignal.any(stops)), command.input ?? '');
  } catch (error) {
    // Some refusals of the system (EPERM for a foreign uid) are thrown, others are emitted.
    return neverRan(error);
  }
}

function start(command: Command, signal: AbortSignal): ChildProcessWithoutNullStreams {
  return spawn(command.file, command.args, {
    env: command.env,
    cwd: command.cwd,
    ...command.ids,
    // Its own session: Ctrl-C in the terminal is for the service, which then stops what it started.
    detached: true,
    windowsHide: true,
    signal,
    killSignal: 'SIGKILL',
  });
}

async function collect(child: ChildProcessWithoutNullStreams, input: string): Promise<CommandResult> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => stdout.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => stderr.push(text));
  // A program that ends without reading makes this pipe fail; its exit code has the reason.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const { promise, resolve } = Promise.withResolvers<CommandResult>();
  child.on('error', (error) => {
    // With a pid it is the abort, and `close` follows.
    if (child.pid === undefined) resolve(neverRan(error));
  });
  child.on('close', (exitCode) => resolve({ exitCode, stdout: stdout.join(''), stderr: stderr.join('') }));
  return promise;
}

function neverRan(error: unknown): CommandResult {
  const spawnError = error instanceof Error ? error : new Error(String(error));
  return { exitCode: null, stdout: '', stderr: '', spawnError };
}
