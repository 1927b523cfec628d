// Limits a git process: it and its helpers are ended at a deadline or by a signal, and the caller never waits longer.
import type { ChildProcess } from 'node:child_process';
import { errorCode } from '../../../lib/system/error-code.ts';

/** How long a killed git may take to end; one that waits for an unreachable disk may never end. */
const killedWithinMs = 5_000;

/** Ends a git process at its deadline or by a signal, and reports once it has ended, or cannot be ended. */
export function limitChild(
  child: ChildProcess,
  { limitMs, signal }: { limitMs: number; signal: AbortSignal | undefined },
  onExpired: (aborted: boolean) => void,
): { isExpired(): boolean; stop(): void } {
  let expired = false;
  let patience: NodeJS.Timeout | undefined;
  const reportExpired = (): void => onExpired(signal?.aborted === true);
  const end = (): void => {
    if (expired) return;
    expired = true;
    child.once('close', reportExpired);
    patience = setTimeout(() => {
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe?.destroy();
      reportExpired();
    }, killedWithinMs);
    killGroup(child);
  };
  const deadline = setTimeout(end, limitMs);
  if (signal?.aborted === true) end();
  else signal?.addEventListener('abort', end, { once: true });
  return {
    isExpired: () => expired,
    stop() {
      clearTimeout(deadline);
      clearTimeout(patience);
      signal?.removeEventListener('abort', end);
    },
  };
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    // Ended just now.
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}
