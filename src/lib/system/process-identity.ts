// Whether a process that recorded its id in a file is still alive: ids are reused, start times are not.
import { readFile } from 'node:fs/promises';
import { errorCode } from './error-code.ts';

export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks from boot to the start of the process; empty without /proc. */
  readonly start: string;
}

/** @returns undefined when there is no such process, it is a zombie, or there is no /proc */
async function readStartTime(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    // Fields 3 and 22 of proc(5); the name in parentheses may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

export async function ownIdentity(): Promise<ProcessIdentity> {
  return { pid: process.pid, start: (await readStartTime(process.pid)) ?? '' };
}

export async function isAlive({ pid, start }: ProcessIdentity): Promise<boolean> {
  if (start !== '') return (await readStartTime(pid)) === start;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
