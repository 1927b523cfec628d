// Checks of `doctor` for the machine: Node, git, disk, port.
import { execFile } from 'node:child_process';
import { access, constants, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { health } from '../../contracts/monitor.ts';
import type { ServiceConfig } from '../../server/config/service-config.ts';
import { withoutCredentials } from '../../worker/process/environment.ts';
import { findContainment, type ContainmentTrials } from '../../worker/process/find-containment.ts';
import { fail, ok, warn, type Check } from '../core/doctor-check.ts';
import type { CliIo } from '../core/io.ts';

const oldestNode = 24;
/** The oldest git whose `git worktree` has every option that the worker uses. */
const oldestGit = [2, 32] as const;
const gibibyte = 1024 ** 3;
const deadlineMs = 10_000;

export function checkNode(version: string): Check {
  const major = Number(version.split('.', 1)[0]);
  if (major >= oldestNode) return ok('node', version);
  return fail(
    'node',
    version,
    `Node ${oldestNode} is needed: run \`npm ci\`, which installs it, and start with npm or bin/switchyard.js.`,
  );
}

export async function checkGit(env: NodeJS.ProcessEnv): Promise<Check> {
  try {
    const { stdout } = await promisify(execFile)('git', ['--version'], { env, timeout: deadlineMs });
    const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(stdout) ?? [];
    const found = stdout.trim();
    const isOld = Number(major) < oldestGit[0] || (Number(major) === oldestGit[0] && Number(minor) < oldestGit[1]);
    return isOld ? fail('git', found, `The worker needs git ${oldestGit.join('.')} or newer.`) : ok('git', found);
  } catch {
    return fail('git', 'not found', 'Install git: the worker creates worktrees and diffs with it.');
  }
}

/** @param remedy printed when the disk is full */
export async function checkDisk(
  dataDir: string,
  remedy = 'Make room: PostgreSQL stops when the disk is full.',
): Promise<Check> {
  const folder = await nearestFolder(dataDir);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const found = `${(free / gibibyte).toFixed(1)} GiB free for ${dataDir}`;
  if (free < gibibyte / 10) return fail('disk', found, remedy);
  return free < gibibyte ? warn('disk', found, 'Make room soon, or set DATA_DIR elsewhere.') : ok('disk', found);
}

/** Checks that the folder exists or can be created; creates nothing. */
export async function checkDataDir(dataDir: string): Promise<Check> {
  const existing = await nearestFolder(dataDir);
  const remedy = 'Make it a folder that this user may write to, or name another with DATA_DIR.';
  if (!(await stat(existing)).isDirectory()) return fail('data folder', `${existing} is not a folder`, remedy);
  try {
    await access(existing, constants.W_OK | constants.X_OK);
    return ok('data folder', existing === dataDir ? dataDir : `${dataDir} can be created`);
  } catch {
    return fail('data folder', `${existing} cannot be written to`, remedy);
  }
}

async function nearestFolder(folder: string): Promise<string> {
  try {
    await statfs(folder);
    return folder;
  } catch {
    const parent = path.dirname(folder);
    return parent === folder ? folder : nearestFolder(parent);
  }
}

/** Checks that the port is free, or that a Switchyard service answers on it. */
export async function checkPort(io: Pick<CliIo, 'fetch'>, { host, port }: ServiceConfig): Promise<Check> {
  const refusal = await tryToListen(host, port);
  const listenAddress = `${host}:${port}`;
  if (refusal === undefined) return ok('port', `${listenAddress} is free`);
  if (refusal !== 'EADDRINUSE') {
    return fail('port', `${listenAddress} cannot be listened on: ${refusal}`, 'Choose another with HOST and PORT.');
  }
  const version = await fetchServiceVersion(io, host, port);
  if (version !== undefined) return ok('port', `a Switchyard service (${version}) answers on ${listenAddress}`);
  return fail('port', `${listenAddress} is taken by another program`, 'Stop it, or choose another port with PORT.');
}

async function tryToListen(host: string, port: number): Promise<string | undefined> {
  const probe = createServer();
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  probe.once('error', (error) => resolve('code' in error ? String(error.code) : error.message));
  probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  return promise;
}

async function fetchServiceVersion(io: Pick<CliIo, 'fetch'>, host: string, port: number): Promise<string | undefined> {
  try {
    const reachable =
      host === '0.0.0.0' ? '127.0.0.1' : host.includes(':') ? `[${host === '::' ? '::1' : host}]` : host;
    const response = await io.fetch(`http://${reachable}:${port}/health`, { signal: AbortSignal.timeout(5_000) });
    return health.safeParse(await response.json()).data?.version;
  } catch {
    return undefined;
  }
}

/** Checks whether a run's processes could survive its end. */
export async function checkContainment(
  env: NodeJS.ProcessEnv,
  passEnv: string[],
  trials?: ContainmentTrials,
): Promise<Check> {
  const { found, remedy } = await findContainment(withoutCredentials({ env, passEnv }), trials);
  return remedy === '' ? ok('processes', found) : warn('processes', found, remedy);
}
