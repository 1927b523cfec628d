// A shell command of an agent in bubblewrap: it writes only in the workspace and sees no secret of the machine.
import { execFile } from 'node:child_process';
import { readdir, realpath, stat } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

export interface ShellSandboxOptions {
  /** Path of the program `bwrap`. */
  readonly program: string;
  /** The workspace: the only folder that can be written. Absolute, with links resolved. */
  readonly path: string;
  /**
   * Folders outside the workspace that git reads there, as the worker knew them before an agent wrote in it: afterwards
   * the agent controls what git reports about the workspace.
   */
  readonly gitFolders: readonly string[];
  /** The folder of the attempt, which holds the temporary folder of its commands. */
  readonly folder: string;
  /** Absolute paths of folders and files that commands do not see: those of the worker. */
  readonly hidden: readonly string[];
  /** Whether commands can use the network. */
  readonly network: boolean;
  /** The worker's environment: locates its home and its programs. */
  readonly env: NodeJS.ProcessEnv;
}

const probeDeadlineMs = 10_000;

/** Folders with sockets, other users' files and this user's secrets. */
const hiddenEverywhere = ['/run', '/var/run', '/home', '/root', '/tmp', '/var/tmp', '/mnt', '/media', '/srv'];

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

async function resolveLinks(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch {
    return undefined;
  }
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** The folders of the user's programs within hidden folders: those on the PATH, and what their programs need. */
async function programFolders(env: NodeJS.ProcessEnv, masks: string[]): Promise<string[]> {
  const found = await Promise.all((env['PATH'] ?? '').split(delimiter).filter(Boolean).map(resolveLinks));
  const homes = [env['HOME'] ?? '', ...hiddenEverywhere];
  return found.flatMap((folder) => {
    if (folder === undefined || !masks.some((mask) => isBelow(folder, mask))) return [];
    const parent = dirname(folder);
    // `…/node/bin` needs `…/node/lib`; `~/bin` does not need the whole home.
    const includesParent = folder.endsWith('/bin') && !homes.includes(parent) && !parent.endsWith('/.local');
    return [includesParent ? parent : folder];
  });
}

async function maskArguments(path: string): Promise<string[]> {
  const real = await resolveLinks(path);
  if (real === undefined) return [];
  return (await isFolder(real)) ? ['--tmpfs', real] : ['--ro-bind', '/dev/null', real];
}

/** Repositories nested in the workspace keep hooks and settings too; one level is checked. */
async function gitEntries(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  const folders = ['.', ...entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)];
  const found = await Promise.all(folders.map((name) => resolveLinks(join(path, name, '.git'))));
  return found
    .filter((folder) => folder !== undefined && isBelow(folder, path))
    .filter((folder) => folder !== undefined);
}

/**
 * The prefix of a command that confines it: everything is read-only except the workspace and a temporary folder, git's
 * own files are read-only there too, homes and sockets are hidden, only its own processes are visible, and there is no
 * network unless allowed. The caller has to clean the command's environment.
 */
export async function buildSandboxCommand(options: ShellSandboxOptions): Promise<[string, ...string[]]> {
  const { program, path, gitFolders, folder, hidden, network, env } = options;
  const home = resolve(env['HOME'] ?? '/root');
  const masks: string[] = [];
  for (const mask of new Set([...hiddenEverywhere, home])) {
    const real = await resolveLinks(mask);
    if (real !== undefined && real !== '/' && (await isFolder(real))) masks.push(real);
  }
  const git = (await Promise.all(gitFolders.map(resolveLinks))).filter((shownPath) => shownPath !== undefined);
  // A repository around a masked folder, such as a home under version control, would reveal it.
  const shown = [
    ...(await programFolders(env, masks)),
    ...git.filter((shownPath) => !masks.some((hiddenPath) => isBelow(hiddenPath, shownPath))),
  ];
  const temporary = join(folder, 'tmp');
  const flags = ['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'];
  if (!network) flags.push('--unshare-net');
  flags.push('--die-with-parent', '--new-session', '--cap-drop', 'ALL');
  flags.push('--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc');
  for (const mask of [...new Set(masks)].toSorted()) flags.push('--tmpfs', mask);
  flags.push('--bind', temporary, '/tmp');
  for (const shownPath of shown) flags.push('--ro-bind-try', shownPath, shownPath);
  // A workspace may lie in the worker's state folder, and that folder in a workspace.
  const [around, elsewhere] = [
    hidden.filter((hiddenPath) => isBelow(path, hiddenPath)),
    hidden.filter((hiddenPath) => !isBelow(path, hiddenPath)),
  ];
  for (const hiddenPath of around) flags.push('--tmpfs', hiddenPath);
  flags.push('--bind', path, path);
  for (const hiddenPath of elsewhere) flags.push(...(await maskArguments(hiddenPath)));
  for (const entry of await gitEntries(path)) flags.push('--ro-bind', entry, entry);
  flags.push('--chdir', path, '--setenv', 'TMPDIR', '/tmp', '--setenv', 'HOME', '/tmp', '--');
  return [program, ...flags];
}

/** Whether bubblewrap confines anything here: it needs namespaces, which some machines and containers refuse. */
export async function findSandbox(program: string): Promise<{ works: true } | { works: false; reason: string }> {
  const args = ['--unshare-user', '--unshare-pid', '--unshare-net', '--ro-bind', '/', '/', '--proc', '/proc', 'true'];
  try {
    await promisify(execFile)(program, args, { timeout: probeDeadlineMs, killSignal: 'SIGKILL' });
    return { works: true };
  } catch (error) {
    return { works: false, reason: error instanceof Error ? error.message.trim().slice(0, 300) : String(error) };
  }
}
