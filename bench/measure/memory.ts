// Memory of a process, read from /proc, in mebibytes.
import { readFile } from 'node:fs/promises';

export interface Memory {
  /** All resident pages. */
  readonly rssMib: number;
  /** Shared pages are divided by the number of processes that share them. */
  readonly pssMib: number;
}

export async function readMemory(pid: number): Promise<Memory> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'latin1');
  const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1]) / 1024;
  return { rssMib: field('Rss'), pssMib: field('Pss') };
}
