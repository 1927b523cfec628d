// A process above each program of an attempt that adopts the program's orphans (PR_SET_CHILD_SUBREAPER): a daemon that
// changed session, environment and parent is still its descendant. Node cannot request that from the kernel; perl can.
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { getSystemErrorName } from 'node:util';
import type { ChildExit } from './child-exit.ts';

/** Numbers of prctl and setsid, by processor. */
const systemCalls: Partial<Record<NodeJS.Architecture, readonly [number, number]>> = {
  x64: [157, 112],
  arm64: [167, 157],
};

/**
 * Starts the program in a session of its own and reports its end on descriptor 3. The program's stderr is descriptor 4,
 * so that messages of perl itself are not mixed into it. It lives as long as a descendant does, ignores signals that
 * are meant for the attempt, and survives a killed worker that reads no more.
 */
const script = `
my ($prctl, $setsid, @argv) = @ARGV;
open(my $report, '>&=', 3) or exit 125;
open(my $err, '>&=', 4) or exit 125;
fcntl($_, 2, 1) for $report, $err;
syscall($prctl + 0, 36, 1, 0, 0, 0) == 0 or exit 125;
my @signals = grep { !/^(ZERO|KILL|STOP|CHLD|CLD|NUM.*|RT.*)$/ } keys %SIG;
$SIG{$_} = 'IGNORE' for @signals;
my $pid = fork;
exit 125 unless defined $pid;
if ($pid == 0) {
  $SIG{$_} = 'DEFAULT' for @signals;
  syscall($setsid + 0);
  open(STDERR, '>&', $err) or exit 125;
  exec { $argv[0] } @argv;
  syswrite $report, 'missing ' . ($! + 0) . "\\n";
  exit 127;
}
close $_ for \\*STDIN, \\*STDOUT, \\*STDERR, $err;
while ((my $over = wait) != -1) { syswrite $report, "ended $?\\n" if $over == $pid }
`;

/** Whether a command line (/proc/<pid>/cmdline) is that of a subreaper. */
export function isSubreaper(commandLine: string): boolean {
  return commandLine.split('\0')[2] === script;
}

/** Whether the system call numbers of this processor are known. */
export function hasSubreapers(): boolean {
  return process.platform === 'linux' && systemCalls[process.arch] !== undefined;
}

export interface Adopted {
  /** The process above the program. */
  readonly child: ChildProcess;
  readonly stderr: Readable | null;
  readonly exit: Promise<ChildExit>;
}

/** Starts a program below a process of its own that adopts its orphans. */
export function startAdopted(
  perl: string,
  [program, ...args]: [string, ...string[]],
  options: SpawnOptions & { stdin: 'ignore' | 'pipe' },
): Adopted {
  const numbers = (systemCalls[process.arch] ?? []).map(String);
  const child = spawn(perl, ['-e', script, '--', ...numbers, program, ...args], {
    ...options,
    stdio: [options.stdin, 'pipe', 'ignore', 'pipe', 'pipe'],
  });
  const [, , , statusPipe, stderr] = child.stdio;
  return { child, stderr: stderr instanceof Readable ? stderr : null, exit: waitForExit(child, program, statusPipe) };
}

async function waitForExit(child: ChildProcess, program: string, statusPipe: unknown): Promise<ChildExit> {
  const failed = new Promise<ChildExit>((resolve) => {
    child.once('error', (error) => resolve({ kind: 'missing', reason: error.message }));
  });
  // It reports nothing when it is killed.
  const died = new Promise<ChildExit>((resolve) => {
    child.once('exit', (_, signal) => resolve({ kind: 'signalled', signal: signal ?? 'SIGKILL' }));
  });
  const reported = statusPipe instanceof Readable ? readExitStatus(statusPipe, program) : undefined;
  return Promise.race([failed, Promise.resolve(reported).then((exit) => exit ?? died)]);
}

/** @returns undefined when it ended without a report */
async function readExitStatus(statusPipe: Readable, program: string): Promise<ChildExit | undefined> {
  try {
    for await (const line of createInterface({ input: statusPipe })) {
      const [kind, number] = [line.slice(0, line.indexOf(' ')), Number(line.slice(line.indexOf(' ') + 1))];
      if (kind === 'missing') return { kind: 'missing', reason: `spawn ${program} ${getSystemErrorName(-number)}` };
      // The encoding of wait(2): a signal in the low bits, otherwise the exit code above them.
      if ((number & 0x7f) === 0) return { kind: 'exited', code: number >> 8 };
      return { kind: 'signalled', signal: signalName(number & 0x7f) };
    }
    return undefined;
  } finally {
    statusPipe.destroy();
  }
}

function signalName(number: number): NodeJS.Signals {
  const names: [string, number][] = Object.entries(constants.signals);
  const name = names.find(([, value]) => value === number)?.[0];
  return isSignal(name) ? name : 'SIGKILL';
}

function isSignal(name: string | undefined): name is NodeJS.Signals {
  return name !== undefined && Object.hasOwn(constants.signals, name);
}
