// Starts a program of an attempt within its containment.
import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { ChildExit } from './child-exit.ts';
import { startInGroup } from './cgroup.ts';
import type { AttemptContainment } from './containment.ts';
import { startAdopted } from './subreaper.ts';

export interface ProgramStartOptions {
  /** The program and its arguments; never a shell. */
  readonly argv: [string, ...string[]];
  readonly cwd: string;
  /** Contains the attempt's tag. */
  readonly env: NodeJS.ProcessEnv;
  readonly contained: AttemptContainment;
  readonly stdin: 'ignore' | 'pipe';
}

export interface Started {
  /** Leads a session, and is the ancestor of all other processes of the program as far as parent ids show. */
  readonly leader: number | undefined;
  readonly stdin: Writable | null;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  readonly exit: Promise<ChildExit>;
}

/** Starts it in a session of its own. @throws when its control group refuses it */
export function startProgram({ argv, cwd, env, contained, stdin }: ProgramStartOptions): Started {
  const base = { cwd, env, detached: true };
  if (contained.kind === 'subreaper') {
    const { child, stderr, exit } = startAdopted(contained.perl, argv, { ...base, stdin });
    return { leader: child.pid, stdin: child.stdin, stdout: child.stdout, stderr, exit };
  }
  const [program, ...args] = argv;
  const start = (): ChildProcess => spawn(program, args, { ...base, stdio: [stdin, 'pipe', 'pipe'] });
  const child = contained.kind === 'cgroup' ? startInGroup(contained.group, start) : start();
  const { pid: leader, stdout, stderr } = child;
  return { leader, stdin: child.stdin, stdout, stderr, exit: waitForExit(child) };
}

function waitForExit(child: ChildProcess): Promise<ChildExit> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ kind: 'missing', reason: error.message }));
    child.once('exit', (code, signal) => {
      if (code !== null) resolve({ kind: 'exited', code });
      else resolve({ kind: 'signalled', signal: signal ?? 'SIGKILL' });
    });
  });
}
