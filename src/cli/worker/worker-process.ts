// The worker process that `up` runs beside the service: started, restarted when it dies, drained at the end.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { exitCodes } from '../core/exit-codes.ts';
import { workerReadyMessage } from './worker-message.ts';

export interface WorkerProcessOptions {
  /** Program and arguments; none is secret. */
  readonly command: readonly [string, ...string[]];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Prints one line for the operator. */
  readonly note: (line: string) => void;
}

export interface WorkerProcess {
  /** Resolves with the worker's id when it first registers; undefined when the worker cannot start. */
  readonly ready: Promise<string | undefined>;
  /** Drains: running tasks may finish. Resolves when the process has ended. */
  stop(): Promise<void>;
  /** Kills its agents at once, without waiting. */
  kill(): void;
}

const firstRetryMs = 1_000;
const longestRetryMs = 30_000;
/** A worker that ran this long was healthy: after its next exit the delays start from the first again. */
const stableMs = 60_000;
/** The worker limits its own draining, to 25 s by default; this limit is for a worker that hangs. */
const stopDeadlineMs = 10 * 60_000;

export function startWorkerProcess(options: WorkerProcessOptions): WorkerProcess {
  const stopping = new AbortController();
  const ready = Promise.withResolvers<string | undefined>();
  let child = start();
  const running = keepRunning();
  return {
    ready: ready.promise,
    async stop() {
      stopping.abort();
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), stopDeadlineMs);
      await running;
      clearTimeout(timer);
    },
    // The worker gets a second SIGTERM when its channel to this process closes, which ends it at once.
    kill() {
      child.kill('SIGTERM');
    },
  };

  function start(): ChildProcess {
    const [program, ...args] = options.command;
    const started = spawn(program, args, {
      env: options.env,
      cwd: options.cwd,
      // In its own process group: Ctrl-C reaches only this process, which drains the worker before it stops the service.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    started.on('message', (message) => {
      const parsed = workerReadyMessage.safeParse(message);
      if (parsed.success) ready.resolve(parsed.data.worker_id);
    });
    return started;
  }

  async function keepRunning(): Promise<void> {
    for (let waitMs = firstRetryMs; ; waitMs = Math.min(longestRetryMs, waitMs * 2)) {
      const startedAt = performance.now();
      const exitReason = await waitForExit(child);
      if (stopping.signal.aborted) break;
      if (exitReason === `code ${exitCodes.usage}`) {
        options.note('The local worker cannot start with its settings; the service continues without it.');
        break;
      }
      if (performance.now() - startedAt > stableMs) waitMs = firstRetryMs;
      options.note(`The local worker ended (${exitReason}); restarting it in ${Math.round(waitMs / 1000)} s.`);
      await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) break;
      child = start();
    }
    ready.resolve(undefined);
  }
}

/** Describes the exit; includes a program that could not be started. */
async function waitForExit(child: ChildProcess): Promise<string> {
  if (child.exitCode !== null) return `code ${child.exitCode}`;
  if (child.signalCode !== null) return child.signalCode;
  try {
    const [code, signal]: unknown[] = await once(child, 'exit');
    return typeof code === 'number' ? `code ${code}` : String(signal);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
