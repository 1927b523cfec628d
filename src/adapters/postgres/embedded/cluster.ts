// The database cluster on disk, `<dataDir>/postgres`: created once and atomically, and checked at each start.
import { mkdir, mkdtemp, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from './process/command.ts';
import { EmbeddedPostgresError } from './process/error.ts';
import { failureFromOutput } from './process/failure.ts';
import { childEnvironment, launchCommand, type ServerContext } from './process/launch.ts';
import { giveToOwner } from './process/ownership.ts';
import { keepPassword, newPassword, readPassword, replacePassword } from './password.ts';
import { syncFolder } from '../../../lib/system/sync-folder.ts';
import { errorCode } from '../../../lib/system/error-code.ts';
import { readIfPresent } from '../../../lib/system/read-if-present.ts';

/** A cluster that PostgreSQL can be started on, and its superuser's password. */
interface Cluster {
  readonly dir: string;
  readonly password: string;
}

const halfMade = 'postgres-half-made-';
/** Names of folders in which a restore puts a database together; each is a DATA_DIR of its own until it is complete. */
export const restorePrefix = 'restore-half-made-';

/** The folder of the cluster, whether it exists or not. */
export function clusterDir(dataDir: string): string {
  return path.join(dataDir, 'postgres');
}

/** Whether a data folder has a cluster. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  return !(await isAbsent(clusterDir(dataDir)));
}

/**
 * Opens the cluster, or makes it when there is none. The caller holds the lock, and no PostgreSQL runs in `dataDir`.
 * @throws EmbeddedPostgresError `version_mismatch`, `cluster_corrupt`, `init_failed`, `disk_full`, …
 */
export async function openCluster(site: ServerContext): Promise<Cluster> {
  const dir = clusterDir(site.dataDir);
  await refuseUnfinishedRestore(site.dataDir);
  await removeHalfMade(site);
  if (await isAbsent(dir)) return { dir, password: await makeCluster(site, dir) };
  await checkVersion(dir, site.runnable.major);
  await giveToOwner(dir, site.runnable.launcher);
  const kept = await readPassword(site.dataDir);
  return { dir, password: kept ?? (await replacePassword(site, dir)) };
}

/** Opens a cluster of a base backup. @throws EmbeddedPostgresError `version_mismatch`, `cluster_corrupt` */
export async function openRecovering(site: ServerContext): Promise<Cluster> {
  const dir = clusterDir(site.dataDir);
  await checkVersion(dir, site.runnable.major);
  await giveToOwner(dir, site.runnable.launcher);
  return { dir, password: '' };
}

/** A new database in place of the one that was to be restored would be taken for it. */
async function refuseUnfinishedRestore(dataDir: string): Promise<void> {
  const half = (await readdir(dataDir)).find((entry) => entry.startsWith(restorePrefix));
  // An empty one is all that is left of a restore that was complete.
  if (half === undefined || (await readdir(path.join(dataDir, half))).length === 0) return;
  throw new EmbeddedPostgresError(
    'restore_unfinished',
    `A restore into ${dataDir} was interrupted: ${half} is still there.`,
    `Run the same \`switchyard restore\` again; or remove ${half} to start without what was to be restored.`,
  );
}

/** Left by a service that was killed during the first start. A straggling initdb fails on the missing folder. */
async function removeHalfMade({ dataDir, log }: ServerContext): Promise<void> {
  for (const name of (await readdir(dataDir)).filter((entry) => entry.startsWith(halfMade))) {
    log(`Removing ${name}, left by a first start that was interrupted`);
    await rm(path.join(dataDir, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

/** An empty folder, such as a mounted volume, counts as absent. */
async function isAbsent(dir: string): Promise<boolean> {
  try {
    return (await readdir(dir)).length === 0;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return true;
    throw error;
  }
}

/** Creates the cluster beside its final folder and renames it, so that the final folder is always complete. */
async function makeCluster(site: ServerContext, dir: string): Promise<string> {
  const { dataDir, runnable, log } = site;
  log(`Creating a PostgreSQL ${runnable.major} database in ${dir}`);
  const half = await mkdtemp(path.join(dataDir, halfMade));
  try {
    const password = newPassword();
    const passwordFile = path.join(half, 'password');
    // A file, because others can read arguments and environment.
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    await mkdir(path.join(half, 'cluster'), { mode: 0o700 });
    await giveToOwner(half, runnable.launcher);
    await runInitdb(site, path.join(half, 'cluster'), passwordFile);
    await keepPassword(dataDir, password);
    await moveInto(path.join(half, 'cluster'), dir);
    return password;
  } finally {
    await rm(half, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

/** Flushes all files of a stopped cluster to disk: it was filled without waiting for the disk. */
export async function syncCluster(site: ServerContext): Promise<void> {
  const { runnable, env, signal, dataDir } = site;
  const dir = clusterDir(dataDir);
  const result = await runCommand({
    ...launchCommand(runnable.launcher, runnable.binaries.initdb, ['--sync-only', `--pgdata=${dir}`]),
    env: childEnvironment(env),
    deadlineMs: 600_000,
    signal,
  });
  if (result.exitCode === 0) return;
  signal?.throwIfAborted();
  throw failureFromOutput(
    `${result.stderr}${result.spawnError?.message ?? ''}`.split('\n').filter(Boolean),
    dir,
    'init_failed',
  );
}

async function runInitdb(site: ServerContext, dir: string, passwordFile: string): Promise<void> {
  const { runnable, env, signal } = site;
  const args = [
    `--pgdata=${dir}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--data-checksums',
    '--no-instructions',
    '--encoding=UTF8',
    // Unicode in lower() and ILIKE, order by code point, the same on every system: no index breaks when libc changes.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ];
  const result = await runCommand({
    ...launchCommand(runnable.launcher, runnable.binaries.initdb, args),
    env: childEnvironment(env),
    deadlineMs: 120_000,
    signal,
  });
  if (result.exitCode === 0) return;
  signal?.throwIfAborted();
  const lines = `${result.stderr}${result.spawnError?.message ?? ''}`.split('\n').filter((line) => line.trim() !== '');
  for (const line of lines) site.log(`initdb: ${line}`);
  throw failureFromOutput(lines, site.dataDir, 'init_failed');
}

async function moveInto(made: string, dir: string): Promise<void> {
  await rmdir(dir).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
  });
  await rename(made, dir);
  await syncFolder(path.dirname(dir));
}

async function checkVersion(dir: string, major: string): Promise<void> {
  const file = path.join(dir, 'PG_VERSION');
  const found = ((await readIfPresent(file)) ?? '').trim();
  if (found === major) return;
  if (!/^\d+(\.\d+)?$/.test(found)) {
    throw new EmbeddedPostgresError(
      'cluster_corrupt',
      `${dir} is not empty, but holds no PostgreSQL database (${file} is ${found === '' ? 'missing' : 'unreadable'}).`,
      'Restore the folder from a backup, or move it away to begin anew without its data.',
    );
  }
  throw new EmbeddedPostgresError(
    'version_mismatch',
    `The database in ${dir} was made by PostgreSQL ${found}; this release includes PostgreSQL ${major}.`,
    'Take a backup with the release that made it (`switchyard backup FILE`), then restore it with this one into an empty DATA_DIR (`switchyard restore FILE --data-dir DIR`).',
  );
}
