// Stops the PostgreSQL that a killed service left running on this DATA_DIR.
//
// It is stopped and not taken over: a fast shutdown and a new start cost a fraction of a second. Afterwards the server runs
// with this release's programs and settings, as a child of this process, which sees its end and reads its output.
import { realpath, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { socketFile, socketFolder } from './address.ts';
import { clusterDir } from './cluster.ts';
import { runCommand } from './process/command.ts';
import { EmbeddedPostgresError } from './process/error.ts';
import { childEnvironment, launchCommand, type ServerContext } from './process/launch.ts';
import { identifyPostmaster } from './process/process-identity.ts';
import { errorCode } from '../../../lib/system/error-code.ts';
import { readIfPresent } from '../../../lib/system/read-if-present.ts';

/** Fast shutdown, then immediate shutdown, which relies on crash recovery; each with its timeout. */
const shutdowns = [
  { signal: 'SIGINT', waitMs: 20_000 },
  { signal: 'SIGQUIT', waitMs: 15_000 },
] as const;

/**
 * After this, no PostgreSQL that this process can see serves the cluster. The caller holds the lock on `dataDir`.
 * @throws EmbeddedPostgresError `orphan_stuck`, `data_dir_locked`
 */
export async function stopOrphan(site: ServerContext, os: NodeJS.Platform): Promise<void> {
  const dir = clusterDir(site.dataDir);
  const pid = await readPid(dir);
  if (pid === undefined) return;
  if (os === 'win32') return stopOnWindows(site, dir);
  const identity = await identifyPostmaster(pid, dir, os);
  if (identity === 'postmaster') return shutDown(site, dir, pid, os);
  await refuseUnseen(site.dataDir);
  if (identity === 'gone') return;
  // PostgreSQL trusts any process with that id, a zombie too. Its other check, for shared memory still in use, does not need
  // the file.
  site.log(`Removing postmaster.pid: process ${pid} is not PostgreSQL any more`);
  await rm(path.join(dir, 'postmaster.pid'), { force: true });
}

async function readPid(dir: string): Promise<number | undefined> {
  const [line = ''] = ((await readIfPresent(path.join(dir, 'postmaster.pid'))) ?? '').split('\n');
  const pid = Number(line.trim());
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

async function shutDown(site: ServerContext, dir: string, pid: number, os: NodeJS.Platform): Promise<void> {
  site.log(`Stopping the PostgreSQL (process ${pid}) that an earlier service left running`);
  for (const { signal, waitMs } of shutdowns) {
    if (!send(pid, signal, dir)) return;
    const deadline = performance.now() + waitMs;
    while (performance.now() < deadline) {
      if ((await identifyPostmaster(pid, dir, os)) !== 'postmaster') return;
      await delay(25, undefined, { signal: site.signal });
    }
  }
  throw stuck(pid, dir, 'does not stop');
}

/** False when the process has ended meanwhile. */
function send(pid: number, signal: NodeJS.Signals, dir: string): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return false;
    throw stuck(pid, dir, 'may not be stopped by this user', error);
  }
}

function stuck(pid: number, dir: string, why: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'orphan_stuck',
    `The PostgreSQL (process ${pid}) that an earlier service left running on ${dir} ${why}.`,
    `End process ${pid} and start again.`,
    { cause },
  );
}

/** A server in another container has no process id here, but its socket in the shared folder answers. */
async function refuseUnseen(dataDir: string): Promise<void> {
  let folder: string;
  try {
    folder = await realpath(socketFolder(dataDir));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  if (!(await answers(socketFile(folder)))) return;
  throw new EmbeddedPostgresError(
    'data_dir_locked',
    `A PostgreSQL that this process cannot see, perhaps in another container, serves ${clusterDir(dataDir)}.`,
    'Stop it first, or give this service a folder of its own with DATA_DIR.',
  );
}

async function answers(file: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(file);
  socket.once('connect', () => resolve(true));
  socket.once('error', () => resolve(false));
  socket.setTimeout(2_000, () => resolve(true));
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}

/** pg_ctl uses a pipe that only PostgreSQL listens on, so a reused process id is harmless. */
async function stopOnWindows({ runnable, env, signal }: ServerContext, dir: string): Promise<void> {
  await runCommand({
    ...launchCommand(runnable.launcher, runnable.binaries.pgCtl, ['stop', '-D', dir, '-m', 'fast', '-w', '-t', '20']),
    env: childEnvironment(env),
    deadlineMs: 30_000,
    signal,
  });
}
