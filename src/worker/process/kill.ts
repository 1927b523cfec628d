// Ends every process of a run: politely first, then for good.
import { setTimeout as delay } from 'node:timers/promises';
import { findProcesses, type RunTree } from './tree.ts';

const pollMs = 100;
/** A fork that was under way when its parent was stopped is visible after this. */
const stopPollMs = 20;
/** How long the kernel may take to end what was killed; a process in an uninterruptible read can take longer. */
const killedWithinMs = 5_000;

/** @returns false when there was no such process, or it is not ours to signal (it changed its user) */
function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Signals every member; where they cannot be listed, the process group. @returns whether any was there */
function signalRun(tree: RunTree, signal: NodeJS.Signals | 0): boolean {
  const members = findProcesses(tree);
  if (members === undefined) return tree.leader !== undefined && signalProcess(-tree.leader, signal);
  return members.map((pid) => signalProcess(pid, signal)).some(Boolean);
}

async function goneWithin(tree: RunTree, ms: number, signal: NodeJS.Signals | 0): Promise<boolean> {
  const until = performance.now() + ms;
  while (signalRun(tree, signal)) {
    if (performance.now() >= until) return false;
    await delay(pollMs);
  }
  return true;
}

/**
 * Stops every process of a run where it stands, also those that others start meanwhile; SIGCONT lets them go on.
 * @returns `none`: there was no process; `unknown`: they cannot be listed here (no /proc)
 */
export async function stopRun(tree: RunTree): Promise<'stopped' | 'none' | 'unknown'> {
  const stopped = new Set<number>();
  for (;;) {
    const members = findProcesses(tree);
    if (members === undefined) return 'unknown';
    const fresh = members.filter((pid) => !stopped.has(pid));
    // What is stopped starts nothing: when a look finds nobody new, nobody is left.
    if (fresh.length === 0) return stopped.size === 0 ? 'none' : 'stopped';
    for (const pid of fresh) {
      signalProcess(pid, 'SIGSTOP');
      stopped.add(pid);
    }
    await delay(stopPollMs);
  }
}

/** Lets every process of a run go on that was stopped. */
export function continueRun(tree: RunTree): void {
  signalRun(tree, 'SIGCONT');
}

/**
 * Sends SIGTERM to all processes of a run and, after `graceMs`, SIGKILL to what is left and to what they start
 * meanwhile. Resolves when none is left, or five seconds after the first SIGKILL.
 * @returns whether none is left
 */
export async function endRun(tree: RunTree, graceMs: number): Promise<boolean> {
  if (!signalRun(tree, 'SIGTERM')) return true;
  // A stopped process hears SIGTERM when it goes on.
  continueRun(tree);
  if (await goneWithin(tree, graceMs, 0)) return true;
  return goneWithin(tree, killedWithinMs, 'SIGKILL');
}
