// A real worker as a process of its own, for tests that send it signals.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { compileCache } from '../process/compile-cache.ts';
import type { TestService } from '../service.ts';
import { suspendProcess } from '../process/suspend-process.ts';

export interface WorkerProcess extends AsyncDisposable {
  readonly logged: () => string;
  /** Resolves with its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  signal(signal: NodeJS.Signals): void;
  /** Stops it, and settles when it stands. */
  standStill(): Promise<void>;
  /** Its log has no reader any more. */
  stopReading(): void;
}

/** A worker of the agent `command` as a process of its own, in `folder`; it may not be ready yet. */
export function workerProcess(
  service: Pick<TestService, 'url' | 'token'>,
  folder: string,
  env: Record<string, string> = {},
): WorkerProcess {
  const program = join(import.meta.dirname, '../../../src/cli.ts');
  const child = spawn(process.execPath, [program, 'worker'], {
    cwd: folder,
    env: {
      ...compileCache,
      PATH: process.env['PATH'],
      A2A_SERVER_URL: service.url,
      A2A_WORKER_NAME: 'process',
      A2A_AGENT_BIN: 'command',
      A2A_WORKER_ALLOW_COMMAND: 'true',
      SWITCHYARD_TOKEN: service.token('agent'),
      LOG_LEVEL: 'debug',
      ...env,
    },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const lines: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => lines.push(text));
  const ended = new Promise<number | NodeJS.Signals>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'SIGKILL'));
  });
  return {
    ended,
    logged: () => lines.join(''),
    signal: (signal) => void child.kill(signal),
    async standStill() {
      if (child.pid !== undefined) await suspendProcess(child.pid);
    },
    stopReading: () => void child.stderr?.destroy(),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
