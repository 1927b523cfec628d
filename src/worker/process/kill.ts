// Ends every process of an attempt: first with SIGTERM, then with SIGKILL.
import { setTimeout as delay } from 'node:timers/promises';
import { isPopulated, killGroup } from './cgroup.ts';
import { findProcesses, type ProcessTree } from './process-tree.ts';

const pollMs = 100;
/** Ended processes are usually gone after this time. */
const firstPollMs = 5;
/** A fork that was under way when its parent was stopped is visible after this time. */
const stopPollMs = 20;
/** How long the kernel may take to end killed processes; one in an uninterruptible read can take longer. */
const killedWithinMs = 5_000;
/** Processes that start others faster than they can be stopped are killed without further waiting. */
const stoppedWithinMs = 500;

/** @returns false when there is no such process, or we may not signal it (it changed its user) */
function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/**
 * Signals every member, or the process group where members cannot be listed. @returns whether a process of the attempt
 * exists
 */
function signalTree(tree: ProcessTree, signal: NodeJS.Signals | 0): boolean {
  const found = findProcesses(tree);
  if (found === undefined) return tree.leader !== undefined && signalProcess(-tree.leader, signal);
  const signalled = found.members.map((pid) => signalProcess(pid, signal)).some(Boolean);
  // The list misses processes that are just starting; the subreapers and the group know of them.
  return signalled || found.subreapers.length > 0 || (tree.group !== undefined && isPopulated(tree.group));
}

async function waitUntilGone(tree: ProcessTree, ms: number): Promise<boolean> {
  const until = performance.now() + ms;
  for (let waitMs = firstPollMs; signalTree(tree, 0); waitMs = Math.min(pollMs, waitMs * 2)) {
    if (performance.now() >= until) return false;
    await delay(waitMs);
  }
  return true;
}

/**
 * Kills all processes. A control group dies in one step; elsewhere all are stopped first, so that none starts another
 * meanwhile. Subreapers are left alone, because they hold processes that the list has missed.
 */
async function killTree(tree: ProcessTree): Promise<boolean> {
  const until = performance.now() + killedWithinMs;
  do {
    if (tree.group !== undefined) killGroup(tree.group);
    await suspendTree(tree, AbortSignal.timeout(stoppedWithinMs));
    signalTree(tree, 'SIGKILL');
    if (await waitUntilGone(tree, pollMs)) return true;
  } while (performance.now() < until);
  for (const pid of findProcesses(tree)?.subreapers ?? []) signalProcess(pid, 'SIGKILL');
  return false;
}

/**
 * Stops every process of an attempt, including those started meanwhile; SIGCONT resumes them.
 * @param signal ends the search even if new processes are still being started
 * @returns `none`: there was no process; `unknown`: they cannot be listed here (no /proc)
 */
export async function suspendTree(tree: ProcessTree, signal?: AbortSignal): Promise<'stopped' | 'none' | 'unknown'> {
  const stopped = new Set<number>();
  for (;;) {
    const found = findProcesses(tree);
    if (found === undefined) return 'unknown';
    const fresh = found.members.filter((pid) => !stopped.has(pid));
    // A stopped process starts nothing: when the list has no new member, none is left.
    if (fresh.length === 0 || signal?.aborted === true) return stopped.size === 0 ? 'none' : 'stopped';
    for (const pid of fresh) {
      signalProcess(pid, 'SIGSTOP');
      stopped.add(pid);
    }
    await delay(stopPollMs);
  }
}

/** Resumes every stopped process of an attempt. */
export function resumeTree(tree: ProcessTree): void {
  signalTree(tree, 'SIGCONT');
}

/**
 * Sends SIGTERM to all processes of an attempt and, after `graceMs`, SIGKILL to the rest and to processes started
 * meanwhile. Resolves when none is left, or five seconds after the first SIGKILL.
 * @returns whether none is left
 */
export async function terminateTree(tree: ProcessTree, graceMs: number): Promise<boolean> {
  if (!signalTree(tree, 'SIGTERM')) return true;
  // A stopped process handles SIGTERM only when it is resumed.
  resumeTree(tree);
  return (await waitUntilGone(tree, graceMs)) || killTree(tree);
}
