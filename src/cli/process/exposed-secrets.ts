// Finds secrets that this process, or one of its ancestors, still exposes to every program of the same user.
import { readFile } from 'node:fs/promises';
import { secretVariables } from '../../lib/system/secret-variables.ts';
import { ok, warn, type Check } from '../core/doctor-check.ts';

export interface ExposedSecrets {
  readonly pid: number;
  /** As `ps` shows it. */
  readonly program: string;
  /** Names of variables only; values are never shown. */
  readonly names: readonly string[];
}

/** The source of processes: `/proc`, except in tests. */
interface ProcessSource {
  readonly proc: string;
  readonly pid: number;
}

/** This process and its ancestors that expose a secret, the nearest first. */
export async function findExposedSecrets(
  { proc, pid }: ProcessSource = { proc: '/proc', pid: process.pid },
): Promise<ExposedSecrets[]> {
  const found: ExposedSecrets[] = [];
  for (let currentPid = pid; currentPid > 0;) {
    const read = (file: string): Promise<string> => readFile(`${proc}/${currentPid}/${file}`, 'latin1').catch(() => '');
    const [stat, environment] = await Promise.all([read('stat'), read('environ')]);
    const names = secretVariables.filter((name) =>
      environment.split('\0').some((entry) => entry.startsWith(`${name}=`) && entry.length > name.length + 1),
    );
    const program = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    if (names.length > 0) found.push({ pid: currentPid, program, names });
    // Field 4 of proc(5).
    currentPid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
  }
  return found;
}

/** One line for the operator; undefined if nothing is exposed. */
export async function describeExposedSecrets(source?: ProcessSource): Promise<string | undefined> {
  const exposed = await findExposedSecrets(source);
  if (exposed.length === 0) return undefined;
  const names = [...new Set(exposed.flatMap((one) => one.names))].join(', ');
  const processes = exposed.map(({ pid, program }) => `${program} (process ${pid})`).join(', ');
  return `${names}: in the environment of ${processes}, which every program of this user can read, agents too`;
}

/** The result for `doctor`. */
export async function checkSecrets(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Promise<Check> {
  const remedy = 'Pass each as a file, in the variable of the same name with _FILE (docs/SECURITY.md).';
  if (platform === 'linux') {
    const line = await describeExposedSecrets();
    return line === undefined ? ok('secrets', 'no process environment exposes one') : warn('secrets', line, remedy);
  }
  const given = secretVariables.filter((name) => env[name] !== undefined && env[name] !== '');
  if (given.length === 0) return ok('secrets', 'none is set in the environment');
  const found = `${given.join(', ')}: set in the environment, which ${platform} shows to every program of this user`;
  return warn('secrets', found, remedy);
}
