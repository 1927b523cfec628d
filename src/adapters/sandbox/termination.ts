// How a run ends: by itself or by us, and nothing of it is left.
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { KilledBy } from '../../domain/ports/sandbox.ts';
import type { Pipes } from './pipes.ts';

export interface SandboxRun {
  /** The shell that bubblewrap and its guard are children of; of all three it leads the process group. */
  readonly child: ChildProcess;
  /** First process of its pid namespace, as we number it: with it all others die. */
  root: number | undefined;
  /** Whether bubblewrap has done its part: from then on it ends when the first process does. */
  isReady: boolean;
  /** Why we ended it, the first reason. */
  killedBy: KilledBy | undefined;
}

/** Pipes that somebody holds open after the end are let go after this. */
const patienceMs = 2_000;
const pollMs = 10;

/** Its exit code, once its output was read to the end; null when it never ran or a signal ended it. */
export function waitForExit(child: ChildProcess, { stdout, stderr }: Pipes): Promise<number | null> {
  const read = Promise.all([stdout, stderr].map((stream) => new Promise((resolve) => stream.once('close', resolve))));
  return new Promise((resolve) => {
    child.once('error', () => {
      if (child.pid === undefined) resolve(null);
    });
    let patience: NodeJS.Timeout | undefined;
    child.once('exit', () => {
      patience = setTimeout(() => {
        for (const stream of [...child.stdio, stdout, stderr]) stream?.destroy();
      }, patienceMs);
    });
    const settle = (code: number | null): void => {
      clearTimeout(patience);
      resolve(code);
    };
    child.once('close', (code) => void read.then(() => settle(code)));
  });
}

/** The first process of the namespace takes all others with it, and bubblewrap ends by itself after it. */
export function kill(run: SandboxRun, why: KilledBy): void {
  const { child, root } = run;
  if (child.exitCode !== null || child.signalCode !== null) return;
  run.killedBy ??= why;
  if (root !== undefined && signal(root) && run.isReady) return;
  // The whole group, for bubblewrap's child does not die with bubblewrap before it was let go.
  if (child.pid !== undefined) signal(-child.pid);
}

/** Settles when no process of the run is left, not even one that bubblewrap could not wait for. */
export async function waitUntilGone({ root }: SandboxRun): Promise<void> {
  if (root === undefined) return;
  for (let waitedMs = 0; waitedMs < patienceMs && isAlive(root); waitedMs += pollMs) {
    signal(root);
    await pause(pollMs);
  }
}

function signal(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
    return false;
  }
}

/** What waits for its parent's notice is dead. */
function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}
