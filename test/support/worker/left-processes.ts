// The processes that a task's command leaves, for tests that look whether they were ended.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { until } from '../until.ts';

/** Shell lines that leave the ids of the shell and of a child that left its process group in a file. */
export function leavePids(file: string): string[] {
  return ['setsid sleep 300 &', `echo "$$ $!" > ${file}.new`, `mv ${file}.new ${file}`];
}

export async function pidsIn(file: string): Promise<number[]> {
  await until(`the file ${file}`, () => existsSync(file));
  return (await readFile(file, 'utf8')).trim().split(' ').map(Number);
}

export function haveExited(pids: number[]): Promise<boolean> {
  return until('all killed', () => pids.every((pid) => !isAlive(pid)));
}

/** Whether a process lives; one that has ended and only waits to be reaped does not. */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** The living processes that have a folder's path in their environment: workers in it, and what they started. */
export function processesOf(folder: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return isAlive(pid) && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(folder);
    } catch {
      return false;
    }
  });
}
