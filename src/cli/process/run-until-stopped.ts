// Runs something until a signal ends it: the first stops it in order, a further one at once.
import { exitCodes, type ExitCode } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { whenAborted } from '../../lib/wait.ts';

/** What runs: stopped in order, or ended at once when there is no time left. */
export interface Stoppable {
  stop(): Promise<void>;
  /** Must not wait: the process is about to end. */
  kill(): void;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Ctrl-C under npm or the launcher arrives twice: from the terminal, and passed on by the parent. */
const duplicateSignalMs = 500;

/**
 * @param start gets a signal that aborts when it is told to stop before it has started
 * @throws what `start` and `stop` throw
 */
export async function runUntilStopped(
  io: Pick<CliIo, 'process' | 'err' | 'now'>,
  start: (stop: AbortSignal) => Promise<Stoppable>,
): Promise<ExitCode> {
  const stop = new AbortController();
  const stopped = whenAborted(stop.signal);
  let running: Stoppable | undefined;
  let firstSignalAt: number | undefined;

  function onSignal(): void {
    if (firstSignalAt === undefined) {
      firstSignalAt = io.now();
      io.err('Stopping; once more ends at once.\n');
      stop.abort();
    } else if (io.now() - firstSignalAt >= duplicateSignalMs) {
      // `exit` handlers run: what is left of it is killed there.
      io.process.exit(exitCodes.interrupted);
    }
  }
  // Whatever ends this process, an error that nobody foresaw too, nothing is left behind.
  const onExit = (): void => running?.kill();

  for (const signal of signals) io.process.on(signal, onSignal);
  io.process.once('exit', onExit);
  try {
    running = await start(stop.signal);
    await stopped;
    await running.stop();
    return exitCodes.ok;
  } catch (error) {
    if (stop.signal.aborted && error === stop.signal.reason) return exitCodes.interrupted;
    throw error;
  } finally {
    for (const signal of signals) io.process.off(signal, onSignal);
    io.process.off('exit', onExit);
  }
}
