// Runs something until a signal: the first signal stops it in order, a second one at once.
import { exitCodes, type ExitCode } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { whenAborted } from '../../lib/wait.ts';

/** A running service: stopped in order, or killed when there is no time left. */
export interface Stoppable {
  stop(): Promise<void>;
  /** Must not wait: the process is about to end. */
  kill(): void;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Under npm or the launcher Ctrl-C arrives twice: from the terminal, and passed on by the parent. */
const duplicateSignalMs = 500;

/**
 * @param start receives a signal that aborts when a stop is requested before it has started
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
      io.err('Stopping; press Ctrl-C again to stop at once.\n');
      stop.abort();
    } else if (io.now() - firstSignalAt >= duplicateSignalMs) {
      // The `exit` handler kills what is left.
      io.process.exit(exitCodes.interrupted);
    }
  }
  // Nothing is left behind, even after an unexpected error.
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
