// Checks of `doctor` for the database: reachable, safe login, migrations, clock, isolation of tenants.
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkUpDatabase, checkUpRunningDatabase, type DatabaseCheckup } from '../../server/start/database-checkup.ts';
import type { ServiceConfig } from '../../server/config/service-config.ts';
import { StartError } from '../../server/config/errors/start-error.ts';
import { readCliFile } from '../core/cli-file.ts';
import { fail, ok, warn, type Check } from '../core/doctor-check.ts';
import type { CliIo } from '../core/io.ts';

const largestSkewMs = 2_000;
const deadlineMs = 5_000;

export async function checkDatabase(io: CliIo, config: ServiceConfig): Promise<Check[]> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl !== undefined) return inspectDatabase(io, config, 'PostgreSQL at DATABASE_URL');
  if (await isThere(path.join(dataDir, 'postgres')))
    return inspectDatabase(io, config, `embedded PostgreSQL in ${dataDir}`);
  // The check writes nothing to DATA_DIR; only a trial shows whether PostgreSQL can run here.
  const trial = await mkdtemp(path.join(tmpdir(), 'switchyard-doctor-'));
  try {
    const checks = await inspectDatabase(
      io,
      { ...config, dataDir: trial },
      'embedded PostgreSQL, tried in a temporary folder',
    );
    // It has no tables yet; the first start creates them.
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

async function inspectDatabase(io: CliIo, config: ServiceConfig, databaseLabel: string): Promise<Check[]> {
  const { env, now } = io;
  try {
    return report(databaseLabel, config, await checkUpDatabase(config, { env, now, log: () => undefined }));
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    if (error.code === 'data_dir_locked') return inspectRunningDatabase(io, config, error);
    return [fail('database', error.message, error.remedy)];
  }
}

/** A service runs on the folder: asks the service, and checks its PostgreSQL directly. */
async function inspectRunningDatabase(io: CliIo, config: ServiceConfig, locked: StartError): Promise<Check[]> {
  const service = await checkRunningService(io, config.dataDir, locked);
  try {
    const checkup = await checkUpRunningDatabase(config.dataDir, io.now);
    if (checkup === undefined) return [service];
    return [service, ...report('', config, checkup).filter(({ name }) => name !== 'database')];
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return [service, warn('isolation', `not checked: ${error.message}`, error.remedy)];
  }
}

/** A running service holds the folder: asks it whether it is ready. */
async function checkRunningService(io: CliIo, dataDir: string, locked: StartError): Promise<Check> {
  const cliFile = await readCliFile(dataDir);
  if (cliFile === undefined) return ok('database', locked.message);
  try {
    const response = await io.fetch(`${cliFile.url}/health?ready`, { signal: AbortSignal.timeout(deadlineMs) });
    if (response.ok) return ok('database', `in use by the service at ${cliFile.url}, which is ready`);
    return fail('database', `the service at ${cliFile.url} is not ready`, 'See its log.');
  } catch {
    return fail('database', `${locked.message} No service answers at ${cliFile.url}.`, locked.remedy);
  }
}

function report(databaseLabel: string, config: ServiceConfig, checkup: DatabaseCheckup): Check[] {
  const { version, warnings, pendingMigrations, clockAheadMs, isolation } = checkup;
  const checks = [ok('database', `${databaseLabel}, version ${version}`)];
  const [warning] = warnings;
  checks.push(warning === undefined ? ok('login', 'owns nothing, bypasses nothing') : warn('login', warning, ''));
  const skew = `${Math.abs(clockAheadMs)} ms ${clockAheadMs < 0 ? 'behind' : 'ahead of'} the database`;
  const isFar = Math.abs(clockAheadMs) > largestSkewMs;
  checks.push(
    isFar
      ? warn('clock', skew, 'Synchronise the clocks with NTP; leases use the clock of the database only.')
      : ok('clock', skew),
  );
  checks.push(migrationCheck(pendingMigrations));
  if (isolation !== undefined) checks.push(...isolationChecks(isolation));
  if (!config.rlsEnabled)
    checks.push(fail('isolation', 'RLS_ENABLED=false: any tenant sees all rows', 'Leave it unset.'));
  return checks;
}

function migrationCheck(pending: readonly string[] | undefined): Check {
  if (pending === undefined) {
    return warn(
      'migrations',
      'this login may not read them',
      'Set MIGRATION_DATABASE_URL to the login that owns the tables.',
    );
  }
  if (pending.length === 0) return ok('migrations', 'all applied');
  return warn('migrations', `pending: ${pending.join(', ')}`, 'The next start applies them, or `switchyard migrate`.');
}

/** One result per hole. */
function isolationChecks({ tables, tries, holes, untried }: NonNullable<DatabaseCheckup['isolation']>): Check[] {
  const remedy = 'Tenants are not isolated here. Undo manual changes of the schema, or report a vulnerability.';
  const found = holes.map(({ where, what }) => fail('isolation', `${where} ${what}`, remedy));
  const open = untried.length === 0 ? '' : `; not tried: ${untried.join(', ')}`;
  const summary = `${tables.length} tables, ${tries} accesses across tenants tried, all denied${open}`;
  if (found.length > 0) return found;
  return [
    untried.length === 0
      ? ok('isolation', summary)
      : warn('isolation', summary, 'Only the catalogue was checked for these.'),
  ];
}
