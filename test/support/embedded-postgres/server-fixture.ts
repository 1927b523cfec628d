// Helpers of the embedded PostgreSQL's tests: temporary folders, looking at processes.
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { EmbeddedPostgresError } from '../../../src/adapters/postgres/embedded/process/error.ts';
import { type EmbeddedServer, startEmbeddedPostgres } from '../../../src/adapters/postgres/embedded/server.ts';
import { isRoot } from '../process/is-root.ts';
import { JsonProgram, type JsonProgramOptions } from './json-program.ts';

// A run as root can become other users and mount; where nothing may be skipped, it must.
if (!isRoot) {
  if (process.env['CI'] === 'true') throw new Error('the tests of the embedded PostgreSQL need root when CI=true');
  process.stdout.write('skipping the tests of the embedded PostgreSQL that become other users: not run as root\n');
}

/** The program that holds a server. */
export const holder = fileURLToPath(new URL('../../adapters/postgres/embedded/processes/holder.ts', import.meta.url));

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/** A folder of one's own that other users may enter, removed with all in it. */
export async function readableFolder(): Promise<TemporaryFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), 'embedded-'));
  await chmod(folder, 0o755);
  return { path: folder, [Symbol.asyncDispose]: async () => removeFolder(folder) };
}

async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

/** Starts a server here in this process. */
export async function start(
  dataDir: string,
  more: { log?: string[]; env?: NodeJS.ProcessEnv; settings?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<EmbeddedServer> {
  const { log = [], env = process.env, ...rest } = more;
  return startEmbeddedPostgres({ dataDir, env, log: (line) => log.push(line), ...rest });
}

/** Starts a server in a process of its own. */
export function startHolder(dataDir: string, more: Omit<JsonProgramOptions, 'command'> = {}): JsonProgram {
  return new JsonProgram({ command: [process.execPath, holder, dataDir], ...more });
}

/** A DATA_DIR with a stopped cluster in it, made by copying `made`: quicker than creating each. */
export async function copyDataDir(made: string, into: string): Promise<string> {
  // Node's own copy takes a second for the thousand files of a cluster.
  await promisify(execFile)('cp', ['-a', made, into]);
  return into;
}

/** The refusal that `starting` ends in; a server that starts after all is stopped and fails the test. */
export async function refusal(starting: Promise<AsyncDisposable>): Promise<EmbeddedPostgresError> {
  try {
    const started = await starting;
    await started[Symbol.asyncDispose]();
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) return error;
    throw error;
  }
  throw new Error('it started, although it should have refused');
}

/** One statement on a connection of its own; rows as arrays of text. */
export async function query(superuser: EmbeddedServer['superuser'], text: string): Promise<unknown[][]> {
  const client = new Client(superuser);
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

/** Ids of the living processes whose working folder is `dir` or below: all that belong to a cluster. */
export async function processesIn(dir: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const inside = await Promise.all(pids.map(async (pid) => (await cwdOf(pid)).startsWith(dir)));
  return pids.filter((_, index) => inside[index]);
}

async function cwdOf(pid: number): Promise<string> {
  return readlink(`/proc/${pid}/cwd`).catch(() => '');
}

/** A field of `/proc/<pid>/status`, such as `Uid`. */
export async function statusOf(pid: number, field: string): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return new RegExp(`^${field}:[ \\t]*(.*)$`, 'm').exec(text)?.[1];
}
