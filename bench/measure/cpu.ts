// CPU time of processes, read from /proc: user and system, in milliseconds.
import { readdir, readFile } from 'node:fs/promises';

/** The kernel counts in hundredths of a second for every program (USER_HZ). */
const msPerTick = 10;

interface ProcessTimes {
  readonly parent: number;
  readonly ownMs: number;
  /** Time of children that ended and were waited for. */
  readonly childrenMs: number;
}

/** CPU time of each process so far, including its descendants. @throws Error when a process has ended */
export async function cpuMs(pids: readonly number[]): Promise<number[]> {
  const all = await readAllProcesses();
  const total = (pid: number): number => {
    const times = all.get(pid);
    if (times === undefined) throw new Error(`process ${pid} is gone`);
    const below = [...all].filter(([, child]) => child.parent === pid);
    return times.ownMs + times.childrenMs + below.reduce((sum, [child]) => sum + total(child), 0);
  };
  return pids.map(total);
}

async function readAllProcesses(): Promise<Map<number, ProcessTimes>> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    names.map(async (name) => {
      // A process that ended meanwhile is missing; its time counts for its parent.
      const stat = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => undefined);
      return stat === undefined ? [] : [[Number(name), parseTimes(stat)] as const];
    }),
  );
  return new Map(found.flat());
}

/** The name in the second field may hold anything, spaces and brackets too. */
function parseTimes(stat: string): ProcessTimes {
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent = 0, user = 0, system = 0, childUser = 0, childSystem = 0] = [1, 11, 12, 13, 14].map((i) => fields[i]);
  return { parent, ownMs: (user + system) * msPerTick, childrenMs: (childUser + childSystem) * msPerTick };
}
