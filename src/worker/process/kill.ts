// Ends every process of a run: politely first, then for good.
import { setTimeout as delay } from 'node:timers/promises';
import { isPopulated, killGroup } from './cgroup.ts';
import { findProcesses, type ProcessTree } from './process-tree.ts';

const pollMs = 100;
/** What has ended is gone after this, most of the time. */
const firstPollMs = 5;
/** A fork that was under way when its parent was stopped is visible after this. */
const stopPollMs = 20;
/** How long the kernel may take to end what was killed; a process in an uninterruptible read can take longer. */
const killedWithinMs = 5_000;
/** What starts others faster than they can be stopped is killed as it stands. */
const stoppedWithinMs = 500;

/** @returns false when there was no such process, or it is not ours to signal (it changed its user) */
function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Signals every member; where they cannot be listed, the process group. @returns whether anything of the run is there */
function signalTree(tree: ProcessTree, signal: NodeJS.Signals | 0): boolean {
  const found = findProcesses(tree);
  if (found === undefined) return tree.leader !== undefined && signalProcess(-tree.leader, signal);
  const signalled = found.members.map((pid) => signalProcess(pid, signal)).some(Boolean);
  // A look misses what is just being started; these two know of it.
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
 * A control group dies in one step; elsewhere all are stopped first, so that none starts another while they die. Those
 * that adopt orphans are left alone, for they hold what a look has missed.
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
 * Stops every process of a run where it stands, also those that others start meanwhile; SIGCONT lets them go on.
 * @param signal ends it although others are started still
 * @returns `none`: there was no process; `unknown`: they cannot be listed here (no /proc)
 */
export async function suspendTree(tree: ProcessTree, signal?: AbortSignal): Promise<'stopped' | 'none' | 'unknown'> {
  const stopped = new Set<number>();
  for (;;) {
    const found = findProcesses(tree);
    if (found === undefined) return 'unknown';
    const fresh = found.members.filter((pid) => !stopped.has(pid));
    // What is stopped starts nothing: when a look finds nobody new, nobody is left.
    if (fresh.length === 0 || signal?.aborted === true) return stopped.size === 0 ? 'none' : 'stopped';
    for (const pid of fresh) {
      signalProcess(pid, 'SIGSTOP');
      stopped.add(pid);
    }
    await delay(stopPollMs);
  }
}

/** Lets every process of a run go on that was stopped. */
export function resumeTree(tree: ProcessTree): void {
  signalTree(tree, 'SIGCONT');
}

/**
 * Sends SIGTERM to all processes of a run and, after `graceMs`, SIGKILL to what is left and to what they start
 * meanwhile. Resolves when none is left, or five seconds after the first SIGKILL.
 * @returns whether none is left
 */
export async function terminateTree(tree: ProcessTree, graceMs: number): Promise<boolean> {
  if (!signalTree(tree, 'SIGTERM')) return true;
  // A stopped process hears SIGTERM when it goes on.
  resumeTree(tree);
  return (await waitUntilGone(tree, graceMs)) || killTree(tree);
}
