// Ends runs and waits for their end, so that no process of a run is left.
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { KilledBy } from '../../domain/ports/sandbox.ts';
import type { Pipes } from './pipes.ts';

export interface SandboxRun {
  /** The shell that is the parent of bubblewrap and the guard; it leads the process group of all three. */
  readonly child: ChildProcess;
  /** First process of the pid namespace, by its pid outside. When it dies, all others die. */
  root: number | undefined;
  /** Whether bubblewrap has completed its set-up: from then on it ends when the first process ends. */
  isReady: boolean;
  /** The first reason for which the service ended the run. */
  killedBy: KilledBy | undefined;
}

/** How long pipes may stay open after the end, when another process still holds them. */
const patienceMs = 2_000;
const pollMs = 10;

/** The exit code, once the output was read to the end; null when the process never ran or a signal ended it. */
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

/** Kills the first process of the namespace: all others die with it, and bubblewrap exits after it. */
export function kill(run: SandboxRun, why: KilledBy): void {
  const { child, root } = run;
  if (child.exitCode !== null || child.signalCode !== null) return;
  run.killedBy ??= why;
  if (root !== undefined && signal(root) && run.isReady) return;
  // The whole process group, for until it is ready bubblewrap's child does not die with bubblewrap.
  if (child.pid !== undefined) signal(-child.pid);
}

/** Resolves when no process of the run is left, even one that bubblewrap could not wait for; or after two seconds. */
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
    // The process has ended already.
    return false;
  }
}

/** Zombies count as dead. */
function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}
