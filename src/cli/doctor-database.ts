// What `doctor` looks at in the database: reachable, a safe login, migrations, the clock.
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkUpDatabase, type DatabaseCheckup } from '../server/database-checkup.ts';
import type { ServiceConfig } from '../server/service-config.ts';
import { StartError } from '../server/start-error.ts';
import { readCliFile } from './cli-file.ts';
import { fail, ok, warn, type Check } from './doctor-check.ts';
import type { CliIo } from './io.ts';

const largestSkewMs = 2_000;
const deadlineMs = 5_000;

export async function checkDatabase(io: CliIo, config: ServiceConfig): Promise<Check[]> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl !== undefined) return look(io, config, 'PostgreSQL at DATABASE_URL');
  if (await isThere(path.join(dataDir, 'postgres'))) return look(io, config, `embedded PostgreSQL in ${dataDir}`);
  // Nothing is made in DATA_DIR by looking; that PostgreSQL can run here only a trial shows.
  const trial = await mkdtemp(path.join(tmpdir(), 'switchyard-doctor-'));
  try {
    const checks = await look(io, { ...config, dataDir: trial }, 'embedded PostgreSQL, tried in a temporary folder');
    // It has none yet; the first start makes its tables.
    return checks.filter(({ name }) => name !== 'migrations');
  } finally {
    await rm(trial, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

async function isThere(folder: string): Promise<boolean> {
  return stat(folder).then(
    () => true,
    () => false,
  );
}

async function look(io: CliIo, config: ServiceConfig, what: string): Promise<Check[]> {
  const { env, now } = io;
  try {
    return report(what, await checkUpDatabase(config, { env, now, log: () => undefined }));
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    if (error.code === 'data_dir_locked') return [await askService(io, config.dataDir, error)];
    return [fail('database', error.message, error.remedy)];
  }
}

/** A running service holds the folder: it says itself whether it can serve. */
async function askService(io: CliIo, dataDir: string, locked: StartError): Promise<Check> {
  const left = await readCliFile(dataDir);
  if (left === undefined) return ok('database', locked.message);
  try {
    const response = await io.fetch(`${left.url}/health?ready`, { signal: AbortSignal.timeout(deadlineMs) });
    if (response.ok) return ok('database', `in use by the service at ${left.url}, which is ready`);
    return fail('database', `the service at ${left.url} is not ready`, 'Its log says why.');
  } catch {
    return fail('database', `${locked.message} No service answers at ${left.url}.`, locked.remedy);
  }
}

function report(what: string, { version, warnings, pendingMigrations, clockAheadMs }: DatabaseCheckup): Check[] {
  const checks = [ok('database', `${what}, version ${version}`)];
  const [warning] = warnings;
  checks.push(warning === undefined ? ok('login', 'owns nothing, bypasses nothing') : warn('login', warning, ''));
  const skew = `${Math.abs(clockAheadMs)} ms ${clockAheadMs < 0 ? 'behind' : 'ahead of'} the database`;
  const isFar = Math.abs(clockAheadMs) > largestSkewMs;
  checks.push(
    isFar ? warn('clock', skew, 'Set the clocks by NTP; leases go by the database alone.') : ok('clock', skew),
  );
  checks.push(migrationCheck(pendingMigrations));
  return checks;
}

function migrationCheck(pending: readonly string[] | undefined): Check {
  if (pending === undefined) {
    return warn(
      'migrations',
      'this login may not see them',
      'Set MIGRATION_DATABASE_URL to the login that owns the tables.',
    );
  }
  if (pending.length === 0) return ok('migrations', 'all applied');
  return warn(
    'migrations',
    `to be applied: ${pending.join(', ')}`,
    'The next start applies them, or `switchyard migrate`.',
  );
}
