// A control group (cgroup v2) for each attempt: a process cannot leave it by changing session, parent or environment.
import { mkdirSync, readdirSync, readFileSync, rmdirSync, statfsSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../../lib/system/error-code.ts';

const prefix = 'switchyard-run-';
/** The file system type that statfs(2) reports for a control group's folder. */
const cgroup2Magic = 0x63677270;
const removedWithinMs = 1_000;
const removePollMs = 10;

/** The folder of an attempt's group. */
export function groupPath(parent: string, tag: string): string {
  return join(parent, `${prefix}${tag}`);
}

/** Whether a recorded folder is the group of this attempt, and not another folder of that name. */
export function isGroupOfTag(folder: string, tag: string): boolean {
  try {
    return basename(folder) === basename(groupPath('/', tag)) && statfsSync(folder).type === cgroup2Magic;
  } catch {
    return false;
  }
}

/**
 * The folder of the group of this process.
 * @param ownGroups text of /proc/self/cgroup
 * @param mounts text of /proc/self/mountinfo
 * @returns undefined where no such hierarchy is mounted, or our group is outside of it
 */
export function currentGroup(ownGroups: string, mounts: string): string | undefined {
  const own = /^0::(\/.*)$/m.exec(ownGroups)?.[1];
  const mount = mounts.split('\n').find((line) => line.includes(' - cgroup2 '));
  // Fields 4 and 5 of proc(5): root and mount point.
  const [, , , root, mountPoint] = mount?.split(' ') ?? [];
  if (own === undefined || root === undefined || mountPoint === undefined) return undefined;
  const below = relative(root, own);
  return below.startsWith('..') ? undefined : join(mountPoint, below);
}

/**
 * Starts a program in a group: this process enters it, starts the program, and leaves. The program is in the group from
 * its first instruction, without a helper in between. No other code of ours runs meanwhile.
 * @throws when the kernel refuses; then nothing has been started
 */
export function startInGroup<T>(group: string, start: () => T): T {
  const home = currentGroup(readFileSync('/proc/self/cgroup', 'utf8'), readFileSync('/proc/self/mountinfo', 'utf8'));
  if (home === undefined) throw new Error('the control group of this process is not visible');
  // Anyone with write access here may remove the group while it is empty.
  mkdirSync(group, { recursive: true });
  writeFileSync(join(group, 'cgroup.procs'), '0');
  try {
    return start();
  } finally {
    writeFileSync(join(home, 'cgroup.procs'), '0');
  }
}

/** The processes of a group and of its subgroups. */
export function groupMembers(group: string): number[] {
  return withGroupsIn(group).flatMap((folder) =>
    read(join(folder, 'cgroup.procs')).split('\n').map(Number).filter(Boolean),
  );
}

/** Whether a process lives in the group or its subgroups. */
export function isPopulated(group: string): boolean {
  return /^populated 1$/m.test(read(join(group, 'cgroup.events')));
}

/** Ends all its processes in one step, including those that they start meanwhile. */
export function killGroup(group: string): void {
  // In case leaving the group failed earlier.
  if (groupMembers(group).includes(process.pid)) return;
  try {
    writeFileSync(join(group, 'cgroup.kill'), '1');
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** Removes the group with its subgroups. One that still holds a process after a second stays. */
export async function removeGroup(group: string): Promise<void> {
  const until = performance.now() + removedWithinMs;
  // The kernel counts a process for a moment after its end.
  while (!isRemoved(group) && performance.now() < until) await delay(removePollMs);
}

function isRemoved(group: string): boolean {
  try {
    for (const folder of withGroupsIn(group).toReversed()) rmdirSync(folder);
    return true;
  } catch (error) {
    return errorCode(error) !== 'EBUSY';
  }
}

/** Parents first. */
function withGroupsIn(group: string): string[] {
  try {
    const entries = readdirSync(group, { withFileTypes: true });
    return [
      group,
      ...entries.filter((entry) => entry.isDirectory()).flatMap(({ name }) => withGroupsIn(join(group, name))),
    ];
  } catch {
    return [];
  }
}

/** Empty where the file cannot be read: a removed group, or one of threads. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
