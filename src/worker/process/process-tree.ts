// Finds the processes of an attempt, including those that left its process group or session. Linux: /proc.
import { readdirSync, readFileSync } from 'node:fs';
import { groupMembers } from './cgroup.ts';
import { attemptTagVariable } from './environment.ts';
import { isSubreaper } from './subreaper.ts';

/** The marks by which the processes of an attempt are found. */
export interface ProcessTree {
  /** Process id of the started program, which leads a session and a process group; undefined: ended long ago. */
  readonly leader: number | undefined;
  /** The random id in the environment of the program and of everything it starts. */
  readonly tag: string;
  /** Folder of the control group that holds all of them. */
  readonly group?: string | undefined;
}

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly tagged: boolean;
  readonly subreaper: boolean;
}

export interface AttemptProcesses {
  /** Processes that the attempt has started. */
  readonly members: number[];
  /** Our own processes that adopt orphans: each ends by itself when no descendant is left. */
  readonly subreapers: number[];
}

/** A process that has just ended, or that we may not read, is not a member. */
function readQuietly(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}

function readRow(pid: number, mark: string): ProcessRow | undefined {
  const stat = readQuietly(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The name in parentheses may itself contain parentheses and spaces: the fields begin after the last one. proc(5).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  if (state === 'Z' || state === 'X') return undefined;
  const environment = readQuietly(`/proc/${pid}/environ`);
  const tagged = environment !== undefined && `\0${environment}`.includes(mark);
  const subreaper = tagged && isSubreaper(readQuietly(`/proc/${pid}/cmdline`) ?? '');
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), tagged, subreaper };
}

/**
 * The living processes of an attempt: its control group, its process group and session, every process with its tag (a
 * daemon that has changed its session still has the environment it was started with), and all descendants of these.
 * Reads synchronously: /proc answers from memory; through the thread pool 150 processes took eight times as long.
 * @returns undefined without /proc (not Linux): only the process group can be reached then
 */
export function findProcesses({ leader, tag, group }: ProcessTree): AttemptProcesses | undefined {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return undefined;
  }
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const mark = `\0${attemptTagVariable}=${tag}\0`;
  const rows = pids.map((pid) => readRow(pid, mark)).filter((row) => row !== undefined);
  const members = new Set(
    rows.filter((row) => row.tagged || row.group === leader || row.session === leader).map((row) => row.pid),
  );
  if (group !== undefined) for (const pid of groupMembers(group)) members.add(pid);
  for (let before = -1; before !== members.size;) {
    before = members.size;
    for (const row of rows) if (members.has(row.parent)) members.add(row.pid);
  }
  const subreapers = rows.filter((row) => row.subreaper).map((row) => row.pid);
  return { members: [...members].filter((pid) => pid !== process.pid && !subreapers.includes(pid)), subreapers };
}
