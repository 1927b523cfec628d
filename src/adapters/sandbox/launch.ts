// One run of a tool from its first process to its last: started, verified, released, watched, ended.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import type { KilledBy, OutgoingTunnels, SandboxJob, SandboxResult } from '../../domain/ports/sandbox.ts';
import type { RunGroup } from './confine/cgroup.ts';
import { bubblewrapArguments, fds, type Confinement } from './confine/confinement.ts';
import { assertConfined, assertPathsUnchanged, assertNoOpenDescriptors } from './confine/confinement-checks.ts';
import { waitForExit, waitUntilGone, kill, type SandboxRun } from './termination.ts';
import { inheritedDescriptors } from './confine/inherited-descriptors.ts';
import { BoundedOutput } from './bounded-output.ts';
import { openSandboxPort } from './confine/sandbox-port.ts';
import { openPipes } from './pipes.ts';
import { Proxy } from './confine/proxy.ts';
import { readUntil, socketAt } from './control-socket.ts';
import { Watchdog } from './watchdog.ts';

export interface SandboxLaunch {
  readonly job: SandboxJob;
  readonly confinement: Confinement;
  /** Device and inode of each opened path. */
  readonly openedAs: readonly string[];
  readonly seccomp: Buffer;
  /** The shell's own bytes. */
  readonly shell: Buffer;
  readonly isRoot: boolean;
  readonly tunnels: OutgoingTunnels;
  readonly group: RunGroup | undefined;
  readonly elapsedMs: () => number;
}

/** The sandbox could not be created; the tool has not run at all. */
export class NotConfined extends Error {
  override readonly name = 'NotConfined';
}

const readyMs = 15_000;

/** @throws NotConfined */
export async function launch(options: SandboxLaunch): Promise<SandboxResult> {
  const { job } = options;
  using pipes = await openPipes(options.confinement.programs.mkfifo).catch((cause: unknown) => {
    throw new NotConfined('its pipes could not be created', { cause });
  });
  const child = await withDevNull((devNull) => start(options, devNull, pipes.ends));
  pipes.closeRunEnds();
  const run: SandboxRun = { child, root: undefined, isReady: false, killedBy: undefined };
  const over = (why: KilledBy): void => kill(run, why);
  const { stdout, stderr } = pipes;
  const { stdin } = child;
  if (stdin === null) throw new NotConfined('it has no input');
  const out = new BoundedOutput(stdout, job.limits.outputBytes, () => over('output'));
  const complaints = new BoundedOutput(stderr, job.limits.outputBytes, () => over('output'));
  const ended = waitForExit(child, pipes);
  const cancel = (): void => over('cancelled');
  job.signal.addEventListener('abort', cancel, { once: true });
  using opened = new DisposableStack();
  try {
    const control = await prepare(options, run, opened);
    if (job.signal.aborted) cancel();
    const startedAt = options.elapsedMs();
    const watchdog = opened.use(
      new Watchdog({ root: run.root ?? 0, limits: job.limits, elapsedMs: options.elapsedMs }, over),
    );
    stdin.on('error', () => undefined);
    stdin.end(job.input);
    control.end('go\n');
    const exitCode = await ended;
    const wallMs = Math.round(options.elapsedMs() - startedAt);
    return await resultOf(options, run, { exitCode, wallMs, watchdog, stdout: out.text, stderr: complaints.text });
  } catch (error) {
    const wasCancelled = run.killedBy === 'cancelled';
    kill(run, 'cancelled');
    const status = await ended;
    if (wasCancelled) return { exitCode: null, stdout: '', stderr: '', killedBy: 'cancelled', usage: nothing };
    const why = error instanceof Error ? error.message : String(error);
    throw new NotConfined(`${why} (${complaints.text.trim() || `exit ${status}`})`, { cause: error });
  } finally {
    job.signal.removeEventListener('abort', cancel);
    await waitUntilGone(run);
  }
}

/**
 * Starts a shell that waits for a go before it starts bubblewrap, so that it can be added to its control group first.
 * Beside bubblewrap the shell runs a guard, which blocks reading a pipe that is never written: when the service dies the
 * pipe closes, and the guard kills the process group of all three. Bubblewrap's own protection is not enough: at first
 * its child waits for bubblewrap alone, and would wait for ever if bubblewrap died then. Later the child leaves the
 * process group and dies with bubblewrap.
 */
function start({ confinement, isRoot }: SandboxLaunch, devNull: number, ends: readonly number[]): ChildProcess {
  const { shell, bwrap } = confinement.programs;
  const { control, life } = fds;
  const unused = [control, fds.content, fds.info, fds.seccomp, fds.passwd, fds.shell].map((fd) => `${fd}<&-`).join(' ');
  const script = `read -r go <&${control} || exit 125
{ read -r never <&${life}; kill -KILL 0; } </dev/null >/dev/null 2>&1 ${unused} &
guard=$!
"$@" ${life}<&-
status=$?
exec 2>/dev/null; kill -KILL $guard; wait $guard; exit $status`;
  return spawn(shell, ['-c', script, 'sh', bwrap, ...bubblewrapArguments(confinement)], {
    stdio: descriptors(devNull, ends),
    // The tool can read this environment in /proc/1/environ.
    env: {},
    cwd: '/',
    // A session of its own, so that Ctrl-C in the terminal reaches only the service.
    detached: true,
    ...(isRoot ? { uid: confinement.uid, gid: confinement.uid } : {}),
  });
}

/** A pipe for each descriptor in `fds`. Descriptors that the service inherited are replaced by /dev/null. */
function descriptors(devNull: number, ends: readonly number[]): ('pipe' | 'ignore' | number)[] {
  const reserved = Object.keys(fds).length + 3;
  const inherited = inheritedDescriptors('self').filter((fd) => fd >= reserved && fd !== devNull);
  const length = Math.max(reserved, ...inherited.map((fd) => fd + 1));
  return Array.from(
    { length },
    (_, fd) => ends[fd - 1] ?? (fd < reserved ? 'pipe' : inherited.includes(fd) ? devNull : 'ignore'),
  );
}

async function withDevNull(make: (devNull: number) => ChildProcess): Promise<ChildProcess> {
  const devNull = await open('/dev/null', 'r+');
  try {
    return make(devNull.fd);
  } finally {
    await devNull.close();
  }
}

/** @returns the socket on which the sandbox waits for the go. @throws Error when it is not confined as it should be */
async function prepare(options: SandboxLaunch, run: SandboxRun, opened: DisposableStack) {
  const { job, confinement, group } = options;
  const { child } = run;
  const deadline = AbortSignal.timeout(readyMs);
  if (child.pid === undefined) {
    const [error]: unknown[] = await once(child, 'error');
    throw error;
  }
  const control = socketAt(child, fds.control);
  const info = readUntil(socketAt(child, fds.info), (text) => text.includes('}'), deadline);
  const ready = readUntil(control, (text) => text === 'ready\n', deadline);
  // Both reject when the sandbox ends; only the one awaited first is reported.
  info.catch(() => undefined);
  ready.catch(() => undefined);
  socketAt(child, fds.content).end(job.content);
  socketAt(child, fds.seccomp).end(options.seccomp);
  socketAt(child, fds.shell).end(options.shell);
  const { uid } = confinement;
  socketAt(child, fds.passwd).end(`tool:x:${uid}:${uid}:tool:/tmp:/bin/sh\n`);
  await assertNoOpenDescriptors(child.pid);
  await group?.add(child.pid);
  control.write('go\n');
  const pid = /"child-pid":\s*(\d+)/.exec(await info)?.[1];
  if (pid === undefined) throw new Error('bubblewrap did not report the process id of its child');
  run.root = Number(pid);
  await ready;
  run.isReady = true;
  await assertConfined(run.root);
  await assertPathsUnchanged(run.root, confinement.opened, options.openedAs);
  if (job.limits.hosts.length > 0) {
    const port = await openSandboxPort(confinement.programs, run.root, options.isRoot, deadline);
    opened.use(new Proxy(port, job.limits.hosts, options.tunnels));
  }
  return control;
}

/** The result of a run that has ended. */
async function resultOf(
  { group, job }: SandboxLaunch,
  { killedBy }: SandboxRun,
  end: { exitCode: number | null; wallMs: number; watchdog: Watchdog; stdout: string; stderr: string },
): Promise<SandboxResult> {
  const { exitCode, wallMs, watchdog, stdout, stderr } = end;
  const counted = await group?.usage();
  const cpuMs = Math.max(watchdog.usage.cpuMs, counted?.cpuMs ?? 0);
  const peakMemoryBytes = Math.max(watchdog.usage.peakMemoryBytes, counted?.peakMemoryBytes ?? 0);
  const usage = { wallMs, cpuMs, peakMemoryBytes };
  const starved = killedBy === undefined && (await group?.ranOutOfMemory()) === true;
  // The kernel's CPU limit ends a process shortly before the watchdog would.
  const spent = exitCode === signalled + SIGXCPU && cpuMs >= job.limits.cpuSeconds * 500;
  const why = killedBy ?? (starved ? 'memory' : spent ? 'cpu' : null);
  return { exitCode: why === null ? (exitCode ?? signalled + SIGKILL) : null, stdout, stderr, killedBy: why, usage };
}

const nothing = { wallMs: 0, cpuMs: 0, peakMemoryBytes: 0 };
/** Base of the exit code after a signal. */
const signalled = 128;
const SIGKILL = 9;
const SIGXCPU = 24;
