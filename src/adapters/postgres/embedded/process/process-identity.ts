// Checks whether a process id is still the postmaster of a given cluster: ids are reused, and name other processes in
// another container.
import { readFile, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from './command.ts';
import { errorCode } from '../../../../lib/system/error-code.ts';

/**
 * `postmaster`: it serves the cluster. `zombie`: it has ended, but its parent has not read its exit code. `stranger`: the id
 * belongs to another program now.
 */
type ProcessIdentity = 'postmaster' | 'gone' | 'zombie' | 'stranger';

/** Identifies `pid`; `dir` is the cluster's folder. Linux asks /proc, other systems ask ps. */
export async function identifyPostmaster(pid: number, dir: string, os: NodeJS.Platform): Promise<ProcessIdentity> {
  return os === 'linux' ? fromProc(pid, dir) : fromPs(pid, dir);
}

async function fromProc(pid: number, dir: string): Promise<ProcessIdentity> {
  const commandLine = await readProc(`/proc/${pid}/cmdline`);
  if (commandLine === undefined) return 'gone';
  // A zombie has a folder in /proc, but no command line any more.
  if (commandLine === '') return 'zombie';
  const [program = '', ...args] = commandLine.split('\0');
  // Its children call themselves `postgres: checkpointer`; a shell may stand in the folder.
  if (path.basename(program) !== 'postgres') return 'stranger';
  const folder = await workingFolder(pid);
  // Another user's working folder is hidden from a root without ptrace (Docker's default): then the argument counts.
  const served = folder ?? args[args.indexOf('-D') + 1] ?? '';
  return (await samePlace(served, dir)) ? 'postmaster' : 'stranger';
}

async function fromPs(pid: number, dir: string): Promise<ProcessIdentity> {
  const result = await runCommand({
    file: '/bin/ps',
    args: ['-ww', '-o', 'command=', '-p', String(pid)],
    env: {},
    cwd: '/',
    deadlineMs: 5_000,
  });
  const commandLine = result.stdout.trim();
  if (commandLine === '') return 'gone';
  if (commandLine.includes('<defunct>')) return 'zombie';
  return commandLine.includes('/postgres -D') && commandLine.includes(dir) ? 'postmaster' : 'stranger';
}

async function workingFolder(pid: number): Promise<string | undefined> {
  try {
    return await readlink(`/proc/${pid}/cwd`);
  } catch (error) {
    if (['EACCES', 'EPERM', 'ENOENT'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

async function samePlace(candidate: string, dir: string): Promise<boolean> {
  if (candidate === dir) return true;
  try {
    return (await realpath(candidate)) === (await realpath(dir));
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}

async function readProc(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    // ESRCH: it ended between open and read.
    if (['ENOENT', 'ESRCH'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}
