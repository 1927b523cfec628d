// One running postmaster: started in a session of its own, watched, and stopped.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { runCommand } from './command.ts';
import { EmbeddedPostgresError } from './error.ts';
import { childEnvironment, launchCommand, type ServerContext } from './launch.ts';
import { createInterface } from 'node:readline';

/** A started postmaster. `exited` resolves, never rejects, with how it ended, once its output was read to the end. */
export interface Postmaster {
  readonly pid: number;
  readonly exited: Promise<string>;
  readonly log: ServerLog;
  /** Fast shutdown: sessions are cut off, everything acknowledged is on disk. Resolves when the process is gone. */
  stop(): Promise<void>;
}

/** A clean stop writes a checkpoint; on a slow disk that takes its time. */
const fastStopMs = 30_000;
const immediateStopMs = 15_000;

/** Starts `postgres` on the cluster; that it runs does not mean that it serves (see readiness.ts). */
export async function startPostmaster(site: ServerContext, dir: string, args: readonly string[]): Promise<Postmaster> {
  const command = launchCommand(site.runnable.launcher, site.runnable.binaries.postgres, ['-D', dir, ...args]);
  const child = spawn(command.file, command.args, {
    env: childEnvironment(site.env),
    cwd: command.cwd,
    ...command.ids,
    // Its own session: Ctrl-C reaches the terminal's processes all at once, and the service must be able to finish.
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await spawned(child);
  const log = followServerLog(child.stderr, site.log);
  const { promise: exited, resolve } = Promise.withResolvers<string>();
  let isOver = false;
  // `close` rather than `exit`: the last line, which says why, has been read by then.
  child.once('close', (code, signal) => {
    isOver = true;
    resolve(signal === null ? `ended with code ${code}` : `was killed by ${signal}`);
  });
  const stop = async (): Promise<void> => {
    log.passOn = false;
    if (isOver) return;
    if (site.runnable.binaries.postgres.endsWith('.exe')) await stopOnWindows(site, dir);
    else child.kill('SIGINT');
    if (await within(exited, fastStopMs)) return;
    site.log('PostgreSQL does not stop; ending it at once (the next start recovers from its log)');
    child.kill('SIGQUIT');
    if (await within(exited, immediateStopMs)) return;
    child.kill('SIGKILL');
    if (await within(exited, immediateStopMs)) return;
    throw new EmbeddedPostgresError(
      'orphan_stuck',
      `PostgreSQL (process ${child.pid}) does not end, not even when killed.`,
      'Its disk may hang: see the kernel log.',
    );
  };
  return { pid: child.pid ?? 0, exited, log, stop };
}

async function spawned(child: ChildProcessByStdio<null, null, Readable>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.once('spawn', resolve);
  child.once('error', reject);
  await promise;
  child.off('error', reject);
}

/** Windows has no signals: `kill` would be a crash. */
async function stopOnWindows({ runnable, env }: ServerContext, dir: string): Promise<void> {
  await runCommand({
    ...launchCommand(runnable.launcher, runnable.binaries.pgCtl, ['stop', '-D', dir, '-m', 'fast', '-W']),
    env: childEnvironment(env),
    deadlineMs: 10_000,
  });
}

async function within(promise: Promise<unknown>, waitMs: number): Promise<boolean> {
  const timeout = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => timeout.resolve(false), waitMs);
  try {
    return await Promise.race([promise.then(() => true), timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The last lines, oldest first, and whether lines are passed on. */
interface ServerLog {
  readonly lines: readonly string[];
  /** False while it starts and stops: PostgreSQL then logs the rejection of our own probes, and lines are only kept. */
  passOn: boolean;
}

const keptLines = 60;

/** Reads `stderr`, each line beginning with its SQLSTATE (`log_line_prefix` in settings.ts). */
function followServerLog(stderr: Readable, log: (line: string) => void): ServerLog {
  const lines: string[] = [];
  const serverLog: ServerLog = { lines, passOn: false };
  createInterface({ input: stderr, crlfDelay: Infinity }).on('line', (line) => {
    lines.push(line.replace(/^[0-9A-Z]{5} /, ''));
    if (lines.length > keptLines) lines.shift();
    if (serverLog.passOn && isWorthLogging(line)) log(`postgres: ${line}`);
  });
  return serverLog;
}

/**
 * Warnings and worse. Errors of statements reach their client, which is the service, so only errors of the server's own
 * state are logged: 53 resources, 58 system, XX damaged data.
 */
function isWorthLogging(line: string): boolean {
  const [, state = '', severity = ''] = /^([0-9A-Z]{5}) (\w+):/.exec(line) ?? [];
  if (severity === 'ERROR') return /^(53|58|XX)/.test(state);
  return ['WARNING', 'FATAL', 'PANIC'].includes(severity);
}
