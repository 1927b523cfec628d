// A child process of a chaos test: started, waited for, killed by its id.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Child extends AsyncDisposable {
  readonly pid: number;
  /** kill -9, and waits until it is gone. */
  kill(): Promise<void>;
}

/** Starts `name`.ts beside this file. @throws when it ends before it says that it is ready */
export async function startChild(name: 'service' | 'wire-worker', env: Record<string, string>): Promise<Child> {
  const script = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', process.env['CHAOS_LOG'] === undefined ? 'ignore' : 'inherit'],
  });
  const exited = once(child, 'exit');
  const ready = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes('ready')) resolve();
    });
  });
  const first = await Promise.race([ready.then(() => 'ready'), exited.then(() => 'exited')]);
  if (first === 'exited') throw new Error(`${name} ended before it was ready`);
  const kill = (): Promise<void> => killed(child, exited);
  return { pid: child.pid ?? 0, kill, [Symbol.asyncDispose]: kill };
}

async function killed(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  await exited;
}
