// Chooses the user that PostgreSQL's programs run as: they reject uid 0, so a root service must start them as another user.
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Binaries, missingBinaries } from './binaries.ts';
import { type CommandResult, runCommand } from './command.ts';
import { EmbeddedPostgresError } from './error.ts';
import { findSystemUser, hasName, type UserIds } from './system-user.ts';

/** A way to start programs. `prefix` comes before the program; `owner` is who must own the files, when not oneself. */
export interface Launcher {
  readonly how: 'as_is' | 'user_namespace' | 'other_user' | 'other_user_past_closed_folders';
  readonly prefix: readonly string[];
  readonly ids?: UserIds;
  readonly owner?: UserIds;
}

/** A launcher with programs that it has run successfully; `major` is PostgreSQL's version (18). */
export interface Runnable {
  readonly launcher: Launcher;
  readonly binaries: Binaries;
  readonly major: string;
}

/** Options of every started program of PostgreSQL. */
export interface ServerContext {
  readonly dataDir: string;
  readonly runnable: Runnable;
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** The facts that `chooseLauncher` needs: `packaged` is undefined when its libraries do not load where they lie. */
interface LauncherOptions {
  readonly dataDir: string;
  /** uid of this process; undefined on Windows. */
  readonly uid: number | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly packaged: Binaries | undefined;
  readonly copy: (launcher: Launcher) => Promise<Binaries>;
  readonly signal?: AbortSignal | undefined;
}

const root: UserIds = { uid: 0, gid: 0 };

/**
 * Tries the ways to run PostgreSQL in order of preference, each with `postgres --version`, and takes the first.
 * @throws EmbeddedPostgresError `no_binaries`, or `no_user_namespace` when root may not become another user
 */
export async function chooseLauncher(options: LauncherOptions): Promise<Runnable> {
  const refusals: string[] = [];
  for (const launcher of await launchers(options)) {
    options.signal?.throwIfAborted();
    const binaries = await readableBinaries(launcher, options);
    const result = await runCommand({
      ...launchCommand(launcher, binaries.postgres, ['--version']),
      env: childEnvironment(options.env),
      deadlineMs: 10_000,
      signal: options.signal,
    });
    const major = /\(PostgreSQL\) (\d+)/.exec(result.stdout)?.[1];
    if (major !== undefined) return { launcher, binaries, major };
    if (isBroken(result, launcher))
      throw missingBinaries(`${binaries.postgres} does not run: ${describeFailure(result)}`);
    refusals.push(`${launcher.how}: ${describeFailure(result)}`);
  }
  throw new EmbeddedPostgresError(
    'no_user_namespace',
    `PostgreSQL refuses to run as root, and this process may not switch to another user (${refusals.join('; ')}).`,
    'Start the service as an ordinary user (docker run --user 1000), allow user namespaces, or set DATABASE_URL.',
  );
}

/** The parts of a command line that the launcher decides. */
export function launchCommand(
  launcher: Launcher,
  program: string,
  args: readonly string[],
): { file: string; args: readonly string[]; cwd: string; ids: Launcher['ids'] } {
  const [file = program, ...rest] = [...launcher.prefix, program, ...args];
  // The service's working folder would not do: another user may not enter it, and it could not be unmounted.
  return { file, args: rest, cwd: path.parse(program).root, ids: launcher.ids };
}

/** The environment variables that PostgreSQL needs, and no others: no secrets of the service, no PGDATA of the user. */
export function childEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = ['PATH', 'LD_LIBRARY_PATH', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot'];
  const kept = names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  // English messages, because failure.ts parses them.
  return { ...Object.fromEntries(kept), LC_ALL: 'C', TZ: 'UTC' };
}

async function launchers(options: LauncherOptions): Promise<Launcher[]> {
  const { uid, env, dataDir } = options;
  const setpriv = await findTool('setpriv', env);
  // On Linux the kernel stops PostgreSQL when the service is killed; elsewhere the next start stops the orphan.
  const deathSignalPrefixes = setpriv === undefined ? [[]] : [[setpriv, '--pdeathsig', 'INT', '--'], []];
  const asIs = deathSignalPrefixes.map((prefix): Launcher => ({ how: 'as_is', prefix }));
  if (uid !== 0 && hasName()) return asIs;
  const other = await findSystemUser();
  const unshare = await findTool('unshare', env);
  const spaces =
    other && unshare !== undefined ? namespaces(unshare, other, deathSignalPrefixes, uid === 0 ? root : undefined) : [];
  // Without a name only a database that exists can be started.
  if (uid !== 0 || other === undefined) return [...spaces, ...asIs];
  const mayPass = await mayEnter(path.dirname(dataDir), other);
  const others = deathSignalPrefixes.map((prefix): Launcher => ({
    how: 'other_user',
    prefix,
    ids: other,
    owner: other,
  }));
  return [...spaces, ...(mayPass ? others : []), ...(setpriv === undefined ? [] : [pastClosedFolders(setpriv, other)])];
}

/** Inside the namespace the service's user has the ids of another; outside, files and processes stay its own. */
function namespaces(
  unshare: string,
  inside: UserIds,
  deathSignalPrefixes: readonly (readonly string[])[],
  owner: UserIds | undefined,
): Launcher[] {
  const prefix = [unshare, '-U', `--map-user=${inside.uid}`, `--map-group=${inside.gid}`, '--'];
  return deathSignalPrefixes.map((deathSignalPrefix) => ({
    how: 'user_namespace',
    prefix: [...prefix, ...deathSignalPrefix],
    ...(owner && { owner }),
  }));
}

/**
 * For a DATA_DIR below a folder that only root may enter (/root, a mktemp folder). The one capability lets it read
 * root's files, which it can in a user namespace too.
 */
function pastClosedFolders(setpriv: string, user: UserIds): Launcher {
  const ids = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  return {
    how: 'other_user_past_closed_folders',
    prefix: [setpriv, ...ids, ...capability, '--pdeathsig', 'INT', '--'],
    owner: user,
  };
}

async function readableBinaries(launcher: Launcher, { packaged, copy }: LauncherOptions): Promise<Binaries> {
  if (packaged === undefined) return copy(launcher);
  if (launcher.ids === undefined) return packaged;
  return (await mayEnter(packaged.root, launcher.ids)) ? packaged : copy(launcher);
}

/** Whether that user, without groups or capabilities, may enter the folder and all its parents. */
async function mayEnter(dir: string, ids: UserIds): Promise<boolean> {
  const { mode, uid, gid } = await stat(dir);
  const bit = uid === ids.uid ? 0o100 : gid === ids.gid ? 0o010 : 0o001;
  if ((mode & bit) === 0) return false;
  const parent = path.dirname(dir);
  return parent === dir ? true : mayEnter(parent, ids);
}

async function findTool(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  for (const dir of (env['PATH'] ?? '/usr/bin:/bin').split(path.delimiter).filter((place) => path.isAbsolute(place))) {
    const file = path.join(dir, name);
    const usable = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (usable) return file;
  }
  return undefined;
}

/** Whether the program itself is at fault, rather than the way to start it. */
function isBroken(result: CommandResult, launcher: Launcher): boolean {
  if (launcher.how === 'as_is' && launcher.prefix.length === 0) return true;
  return /error while loading shared libraries|version `.*' not found|failed to execute .*No such file/.test(
    result.stderr,
  );
}

function describeFailure(result: CommandResult): string {
  return result.spawnError?.message ?? (result.stderr.trim() || `it ended with code ${result.exitCode}`);
}
