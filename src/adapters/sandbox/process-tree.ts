// Resource usage of a run, read from /proc: all descendants of the first process of its namespace, which adopts every
// orphan in it.
import { readdirSync, readFileSync } from 'node:fs';

export interface TreeUsage {
  /** Processes and threads. */
  readonly tasks: number;
  readonly memoryBytes: number;
  /** CPU time of running processes, and of ended ones that their parents have waited for. */
  readonly cpuMs: number;
}

/** USER_HZ is 100 on every Linux. */
const msPerTick = 10;
const kibibyte = 1024;

/**
 * @param root the first process of the run's pid namespace, by its pid outside
 * @param enough bytes; above this, memory shared between processes is counted only once, which takes longer
 * @returns undefined when the process has ended
 */
export function measureUsage(root: number, enough: number): TreeUsage | undefined {
  const pids = descendants(root);
  if (pids.length === 0) return undefined;
  let [tasks, memoryBytes, ticks] = [0, 0, 0];
  for (const pid of pids) {
    const stat = read(`/proc/${pid}/stat`);
    // After the name, which may hold anything: state, ppid … utime is the 14th of all.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += sum(fields.slice(11, 15));
    tasks += Number(fields[17] ?? 0);
    memoryBytes += kibibyte * privateMemory(pid);
  }
  if (memoryBytes > enough) memoryBytes = kibibyte * sum(pids.map(proportionalMemory));
  return { tasks, memoryBytes, cpuMs: ticks * msPerTick };
}

/** KiB not backed by a file, including page tables. Memory shared by two processes counts twice. */
function privateMemory(pid: number): number {
  const status = read(`/proc/${pid}/status`);
  return sum(['RssAnon', 'RssShmem', 'VmPTE', 'VmSwap'].map((name) => field(status, name)));
}

/** KiB, each page divided by the number of processes that share it. */
function proportionalMemory(pid: number): number {
  const rollup = read(`/proc/${pid}/smaps_rollup`);
  if (rollup === '') return privateMemory(pid);
  const tables = field(read(`/proc/${pid}/status`), 'VmPTE');
  return tables + sum(['Pss_Anon', 'Pss_Shmem', 'SwapPss'].map((name) => field(rollup, name)));
}

/** The process itself first; empty when it has ended. */
function descendants(root: number): number[] {
  const found = new Set<number>();
  const add = (pid: number): void => {
    if (found.has(pid)) return;
    const threads = list(`/proc/${pid}/task`);
    if (threads.length === 0) return;
    found.add(pid);
    for (const thread of threads) {
      for (const child of read(`/proc/${pid}/task/${thread}/children`).split(' ')) if (child !== '') add(Number(child));
    }
  };
  add(root);
  return [...found];
}

function field(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
}

function sum(values: readonly (string | number)[]): number {
  return values.reduce<number>((total, value) => total + Number(value), 0);
}

/** The text of a file of /proc; empty when its process has just ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
