// Finds by trial how attempts of this worker can be contained, the strongest means first, and describes the result.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { groupMembers, groupPath, killGroup, currentGroup, removeGroup, startInGroup } from './cgroup.ts';
import type { Containment } from './containment.ts';
import { hasSubreapers, startAdopted } from './subreaper.ts';

/** The trials; each starts a process that ends by itself within seconds. */
export interface ContainmentTrials {
  /** @returns the group below which attempts get theirs. @throws the reason why there can be none */
  readonly cgroup: () => Promise<string>;
  /** @returns the perl that works. @throws the reason why there can be none */
  readonly subreaper: () => Promise<string>;
}

export interface FoundContainment {
  readonly containment: Containment;
  /** One line, for people. */
  readonly found: string;
  /** The remedy if a daemon can escape; empty if it cannot. */
  readonly remedy: string;
}

const trialMs = 5_000;
const trialSeconds = '5';

/** @param env the environment in which programs are searched: that of agents */
export async function findContainment(
  env: NodeJS.ProcessEnv,
  trials: ContainmentTrials = { cgroup: tryGroup, subreaper: () => trySubreaper(env) },
): Promise<FoundContainment> {
  const group = await outcome(trials.cgroup);
  if ('value' in group) {
    const found = `each attempt runs in a control group of its own, below ${group.value}`;
    return { containment: { kind: 'cgroup', parent: group.value }, found, remedy: '' };
  }
  const perl = await outcome(trials.subreaper);
  if ('value' in perl) {
    const found = `each attempt has a process above it that adopts its daemons (${perl.value}); no control groups: ${group.why}`;
    return { containment: { kind: 'subreaper', perl: perl.value }, found, remedy: '' };
  }
  const found = `a daemon that changes its session and clears its environment outlives its attempt: no control groups (${group.why}), no process to adopt it (${perl.why})`;
  const remedy =
    'On Linux, run the worker as a systemd unit with Delegate=yes (deploy/switchyard-worker.service), or install perl; other systems have neither.';
  return { containment: { kind: 'none' }, found, remedy };
}

async function outcome(trial: () => Promise<string>): Promise<{ value: string } | { why: string }> {
  try {
    return { value: await trial() };
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) };
  }
}

/** Makes a group, starts a process in it, and lets the kernel end it. */
export async function tryGroup(): Promise<string> {
  if (process.platform !== 'linux') throw new Error(`${process.platform} has none`);
  const parent = currentGroup(readFileSync('/proc/self/cgroup', 'utf8'), readFileSync('/proc/self/mountinfo', 'utf8'));
  if (parent === undefined) throw new Error('no cgroup v2 is mounted here');
  const group = groupPath(parent, `trial-${process.pid}`);
  try {
    const child = startInGroup(group, () => spawn('sleep', [trialSeconds], { detached: true, stdio: 'ignore' }));
    const ended = once(child, 'exit', { signal: AbortSignal.timeout(trialMs) });
    const isIn = child.pid !== undefined && groupMembers(group).includes(child.pid);
    killGroup(group);
    const [, signal]: unknown[] = await ended;
    if (!isIn || signal !== 'SIGKILL') throw new Error('killing a group does not end its processes');
    return parent;
  } finally {
    await removeGroup(group);
  }
}

/** Leaves an orphan below a subreaper, and checks which process adopts it. */
export async function trySubreaper(env: NodeJS.ProcessEnv): Promise<string> {
  if (!hasSubreapers()) throw new Error(`none on ${process.platform} ${process.arch}`);
  const orphan = `(sleep ${trialSeconds} > /dev/null 2>&1 & echo $!)`;
  const { child, exit } = startAdopted('perl', ['sh', '-c', orphan], {
    cwd: '/',
    env,
    detached: true,
    stdin: 'ignore',
  });
  const stdout: string[] = [];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => stdout.push(text));
  try {
    const end = await Promise.race([exit, delay(trialMs, undefined, { ref: false })]);
    if (end?.kind === 'missing') throw new Error('perl is not installed');
    if (end?.kind !== 'exited' || end.code !== 0) throw new Error('perl cannot adopt processes here');
    const parent = /^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${Number(stdout.join(''))}/stat`, 'latin1'))?.[1];
    if (Number(parent) !== child.pid) throw new Error('the kernel does not let it adopt orphans');
    return 'perl';
  } finally {
    // It ends with the orphan, which sleeps for a few seconds; neither is waited for.
    child.unref();
    child.kill('SIGKILL');
  }
}
