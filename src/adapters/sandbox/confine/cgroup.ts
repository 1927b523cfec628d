// A control group for each run, where the service may create one (cgroup v2 with the controllers memory and pids).
// The limits per process and the watchdog apply in any case.
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ToolLimits } from '../../../domain/model/tool-limits.ts';
import { errorCode } from '../../../lib/system/error-code.ts';

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
    const trial = path.join(folder, `${prefix}trial-${process.pid}`);
    await mkdir(trial);
    await rmdir(trial);
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

/** Removes groups that an earlier process of the service left behind; their processes died with it. */
export async function sweepGroups(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    // A group with processes cannot be removed: it belongs to another running service.
    if (name.startsWith(prefix)) await rmdir(path.join(folder, name)).catch(() => undefined);
  }
}

export async function makeGroup(folder: string, name: string, limits: ToolLimits): Promise<RunGroup> {
  const group = path.join(folder, `${prefix}${name}`);
  await mkdir(group);
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
