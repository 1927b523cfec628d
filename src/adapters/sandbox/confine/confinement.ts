// The command line of bubblewrap: what a tool sees, and nothing of ours that is not named here.
import { lstat, readlink } from 'node:fs/promises';
import type { ToolLimits } from '../../../domain/model/tool-limits.ts';
import type { SandboxPrograms } from './programs.ts';

/** The user inside; outside too, where the service may become somebody else. Of systemd's ranges the unused one. */
export const firstUid = 65_520;
export const toolPath = '/tool';
/** Called as a shell is called: some are many programs in one, and look at their name. */
const firstPath = '/run/first/sh';
export const proxyPort = 3128;
/** Descriptors that the service hands over. */
export const fds = { control: 3, content: 4, info: 5, seccomp: 6, passwd: 7, shell: 8, life: 9 } as const;

const mebibyte = 1024 * 1024;

/** A path that is opened to the tool: read-only, at the same place as outside. */
export interface OpenedPath {
  readonly path: string;
  /** Where it really lies, without symbolic links. */
  readonly source: string;
}

export interface Confinement {
  readonly programs: SandboxPrograms;
  readonly uid: number;
  /** False where a container does not let one mount /proc: then it is empty. */
  readonly hasProc: boolean;
  readonly systemFolders: readonly SystemFolder[];
  readonly opened: readonly OpenedPath[];
  /** Never seen, even where it lies within what is. */
  readonly hidden: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: ToolLimits;
}

export interface SystemFolder {
  readonly path: string;
  /** Where it points, on systems whose /bin is a link into /usr. */
  readonly link: string | undefined;
}

/** The folders of programs and libraries that this system has. */
export async function findSystemFolders(): Promise<SystemFolder[]> {
  const found: SystemFolder[] = [];
  for (const path of ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/lib32', '/libx32']) {
    const stats = await lstat(path).catch(() => undefined);
    if (stats?.isSymbolicLink() === true) found.push({ path, link: await readlink(path) });
    else if (stats?.isDirectory() === true) found.push({ path, link: undefined });
  }
  return found;
}

/** What programs look for in /etc: none of it is secret. */
// prettier-ignore
const configuration = [
  'ld.so.cache', 'alternatives', 'ssl/certs', 'ssl/openssl.cnf', 'pki/tls/certs', 'pki/ca-trust/extracted',
  'ca-certificates', 'localtime', 'protocols', 'services',
].map((name) => `/etc/${name}`);

/** Arguments of bubblewrap, the tool's own command last. */
export function bubblewrapArguments(confinement: Confinement): string[] {
  const { uid, hasProc, limits, opened, hidden, environment } = confinement;
  const tmpBytes = String(limits.tmpMb * mebibyte);
  const bound = [...confinement.systemFolders.map(({ path }) => path), ...opened.map(({ source }) => source)];
  return [
    ['--unshare-user', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup'],
    ['--uid', String(uid), '--gid', String(uid), '--hostname', 'tool', '--die-with-parent', '--new-session'],
    ['--as-pid-1', '--cap-drop', 'ALL', '--seccomp', String(fds.seccomp), '--info-fd', String(fds.info), '--clearenv'],
    Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
    confinement.systemFolders.flatMap(({ path, link }) =>
      link === undefined ? ['--ro-bind', path, path] : ['--symlink', link, path],
    ),
    ['/etc', '/etc/ssl', '/run', '/run/first'].flatMap((path) => ['--perms', '0755', '--dir', path]),
    configuration.flatMap((path) => ['--ro-bind-try', path, path]),
    ['--perms', '0444', '--ro-bind-data', String(fds.passwd), '/etc/passwd'],
    hasProc ? ['--proc', '/proc'] : ['--size', '4096', '--tmpfs', '/proc', '--remount-ro', '/proc'],
    devices,
    ['--size', tmpBytes, '--perms', '1777', '--tmpfs', '/tmp'],
    opened.flatMap(({ path, source }) => ['--ro-bind', source, path]),
    hidden
      .filter((path) => bound.some((folder) => path === folder || path.startsWith(`${folder}/`)))
      .flatMap((path) => ['--size', '4096', '--perms', '0000', '--tmpfs', path, '--remount-ro', path]),
    // Nobody in there may read it: so the kernel keeps the first process's memory from them, and they cannot teach it to
    // outlive the service.
    ['--perms', '0111', '--ro-bind-data', String(fds.shell), firstPath],
    ['--perms', '0555', '--ro-bind-data', String(fds.content), toolPath],
    ['--remount-ro', '/', '--chdir', '/tmp', '--', ...innerCommand(confinement)],
  ].flat();
}

/** No /dev/zero: mapped shared it is memory that nobody counts. No terminals. */
const devices = [
  ['--size', '65536', '--tmpfs', '/dev'],
  ['null', 'full', 'random', 'urandom'].flatMap((name) => ['--dev-bind', `/dev/${name}`, `/dev/${name}`]),
  ['--symlink', '/proc/self/fd', '/dev/fd', '--symlink', '/proc/self/fd/0', '/dev/stdin'],
  ['--symlink', '/proc/self/fd/1', '/dev/stdout', '--symlink', '/proc/self/fd/2', '/dev/stderr'],
  ['--symlink', '/tmp', '/dev/shm', '--remount-ro', '/dev'],
].flat();

/**
 * Inside, all confinement in place: a shell says so, waits until the service has looked at it, and starts the tool. When
 * the service is gone there is no word, and no tool. The shell stays as first process: when the tool ends it ends, and
 * the kernel ends all that the tool left. Bubblewrap's own would be left for the host's first process to bury.
 */
function innerCommand({ programs, limits }: Confinement): string[] {
  const handshake = `echo ready >&${fds.control} && read -r go <&${fds.control} || exit 125; exec ${fds.control}<&-`;
  // What a shell says of a child that a signal ended is none of the tool's output.
  const script = `${handshake}; exec 4>&2 2>/dev/null; "$@" 2>&4 4>&-; exit $?`;
  const memory = String(limits.memoryMb * mebibyte);
  const { processes, openFiles, cpuSeconds } = limits;
  const each = [
    // Not 0: to a program that takes core dumps on a pipe only 1 means none.
    '--core=1:1',
    `--nproc=${processes}:${processes}`,
    `--nofile=${openFiles}:${openFiles}`,
    // The watchdog counts all of them together; these end one that it would be late for.
    `--data=${memory}:${memory}`,
    `--cpu=${cpuSeconds + 1}:${cpuSeconds + 1}`,
    `--fsize=${limits.tmpMb * mebibyte}`,
    '--memlock=0:0',
    '--msgqueue=0:0',
  ];
  return [firstPath, '-c', script, 'sh', programs.prlimit, ...each, '--', toolPath];
}
