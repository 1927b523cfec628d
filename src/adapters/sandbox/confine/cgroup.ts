// A control group for each run, where the service may create one (cgroup v2 with the controllers memory and pids).
// The limits per process and the watchdog apply in any case.
import { mkdtemp, readdir, readFile, readlink, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ToolLimits } from '../../../domain/model/tool-limits.ts';
import { errorCode } from '../../../lib/system/error-code.ts';
import { isAlive, ownIdentity } from '../../../lib/system/process-identity.ts';

export interface RunGroup extends AsyncDisposable {
  /** Adds a process. Must run before the process starts others. */
  add(pid: number): Promise<void>;
  /** Usage of all processes of the group, including ended ones. */
  usage(): Promise<{ cpuMs: number; peakMemoryBytes: number }>;
  /** Whether the kernel killed a process for exceeding the memory limit. */
  ranOutOfMemory(): Promise<boolean>;
}

const mebibyte = 1024 * 1024;
const mount = '/sys/fs/cgroup';
const prefix = 'switchyard-tool-';

/**
 * The folder in which groups can be created: that of the service's own group, or its parent where systemd put the
 * service into a leaf (`Delegate=yes`, `DelegateSubgroup=`). Undefined when neither allows it.
 * @param selfCgroup text of /proc/self/cgroup
 */
export async function findGroupFolder(selfCgroup: string, root = mount): Promise<string | undefined> {
  const selfPath = /^0::(\/.*)$/m.exec(selfCgroup)?.[1];
  if (selfPath === undefined) return undefined;
  const folder = path.join(root, selfPath);
  for (const candidate of selfPath === '/' ? [folder] : [folder, path.dirname(folder)]) {
    if (await takesGroups(candidate)) return candidate;
  }
  return undefined;
}

async function takesGroups(folder: string): Promise<boolean> {
  try {
    if (!(await hasControllers(folder))) await writeFile(path.join(folder, 'cgroup.subtree_control'), '+memory +pids');
    await rmdir(await createOwnGroup(folder));
    return await hasControllers(folder);
  } catch {
    // Missing controllers, a group that contains processes, or no permission to write.
    return false;
  }
}

async function hasControllers(folder: string): Promise<boolean> {
  const controllers = (await readFile(path.join(folder, 'cgroup.subtree_control'), 'utf8')).trim().split(' ');
  return controllers.includes('memory') && controllers.includes('pids');
}

/**
 * Creates an empty group whose name says which process owns it: `<prefix><pid namespace>-<pid>-<start>-<random>`.
 * A group is empty until its first process is added, so emptiness does not show whether it is still needed.
 */
async function createOwnGroup(folder: string): Promise<string> {
  const { pid, start } = await ownIdentity();
  return mkdtemp(path.join(folder, `${prefix}${await ownPidNamespace()}-${pid}-${start}-`));
}

/** The inode of the pid namespace: a pid means something else in another one. */
async function ownPidNamespace(): Promise<string> {
  return /\d+/.exec(await readlink('/proc/self/ns/pid'))?.[0] ?? '';
}

/** Removes groups whose owner has ended. Groups of other pid namespaces stay: their owners are not visible from here. */
export async function sweepGroups(folder: string): Promise<void> {
  const namespace = await ownPidNamespace();
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue;
    const [space, pid, start = ''] = name.slice(prefix.length).split('-');
    if (space !== namespace || (await isAlive({ pid: Number(pid), start }))) continue;
    // The kernel refuses while a process is left in the group.
    await rmdir(path.join(folder, name)).catch(() => undefined);
  }
}

export async function makeGroup(folder: string, limits: ToolLimits): Promise<RunGroup> {
  const group = await createOwnGroup(folder);
  const put = (file: string, text: string): Promise<void> => writeFile(path.join(group, file), text);
  const get = (file: string): Promise<string> => readFile(path.join(group, file), 'utf8').catch(() => '');
  const bytes = (limits.memoryMb + limits.tmpMb) * mebibyte;
  await put('memory.max', String(bytes));
  await put('memory.swap.max', '0').catch(() => undefined);
  await put('memory.oom.group', '1').catch(() => undefined);
  // Two for the sandbox itself, and some that exist only during the start.
  await put('pids.max', String(limits.processes + 8));
  return {
    add: (pid) => put('cgroup.procs', String(pid)),
    async usage() {
      const cpu = /^usage_usec (\d+)/m.exec(await get('cpu.stat'))?.[1];
      const peak = (await get('memory.peak')).trim();
      return { cpuMs: Math.round(Number(cpu ?? 0) / 1000), peakMemoryBytes: Number(peak) || 0 };
    },
    async ranOutOfMemory() {
      return Number(/^oom_kill (\d+)/m.exec(await get('memory.events'))?.[1] ?? 0) > 0;
    },
    async [Symbol.asyncDispose]() {
      // The group is empty once its last process was reaped, but the kernel may report EBUSY for a moment.
      for (let tries = 0; tries < 50; tries++) {
        const left = await rmdir(group).then(
          () => false,
          (error: unknown) => errorCode(error) === 'EBUSY',
        );
        if (!left) return;
        await new Promise((resolve) => {
          setTimeout(resolve, 20);
        });
      }
    },
  };
}
