// A child process of a chaos test: started, listened to line by line, killed by its id.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../../support/process/compile-cache.ts';

export interface Child extends AsyncDisposable {
  readonly pid: number;
  /** Each line that it has printed, the oldest first. */
  readonly printedLines: readonly string[];
  /** kill -9, and waits until it is gone. */
  kill(): Promise<void>;
}

export type ChildProgram = 'service' | 'wire-worker' | 'program-worker';

/** The longest time from its start until it has printed the time. */
const startMs = 300_000;
const clockFile = fileURLToPath(new URL('./shifted-clock.ts', import.meta.url));

/**
 * Starts `name`.ts beside this file, its wall clock set apart from the machine's.
 * @param clockOffsetMs milliseconds, negative: behind
 * @throws when it ends before it says that it is ready
 */
export async function startChild(name: ChildProgram, env: Record<string, string>, clockOffsetMs = 0): Promise<Child> {
  const begunAt = Date.now();
  const script = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, ['--import', clockFile, script], {
    env: { ...compileCache, PATH: process.env['PATH'] ?? '', CHAOS_CLOCK_OFFSET_MS: String(clockOffsetMs), ...env },
    stdio: ['ignore', 'pipe', process.env['CHAOS_LOG'] === undefined ? 'ignore' : 'inherit'],
  });
  const printedLines: string[] = [];
  const exited = once(child, 'exit');
  const ready = new Promise<void>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      printedLines.push(line);
      if (line === 'ready') resolve();
    });
  });
  const first = await Promise.race([ready.then(() => 'ready'), exited.then(() => 'exited')]);
  if (first === 'exited') throw new Error(`${name} ended before it was ready`);
  const kill = (): Promise<void> => killed(child, exited);
  const clock = printedLines.find((line) => line.startsWith('clock '))?.slice('clock '.length);
  if (Math.abs(Number(clock) - clockOffsetMs - begunAt) > startMs) {
    await kill();
    throw new Error(`the clock of ${name} stands at ${clock}`);
  }
  return { pid: child.pid ?? 0, printedLines, kill, [Symbol.asyncDispose]: kill };
}

async function killed(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  await exited;
}
