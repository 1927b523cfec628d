// The command line of bubblewrap. A tool sees only what is listed here.
import { lstat, readlink } from 'node:fs/promises';
import type { ToolLimits } from '../../../domain/model/tool-limits.ts';
import type { SandboxPrograms } from './programs.ts';

/** The user inside the sandbox; also outside, where the service may change users. A range that systemd leaves unused. */
export const firstUid = 65_520;
export const toolPath = '/tool';
/** Path of the shell. It must be named `sh`: multi-call binaries such as busybox choose the program by their name. */
const firstPath = '/run/first/sh';
export const proxyPort = 3128;
/** Descriptors that the service passes to the sandbox. */
export const fds = { control: 3, content: 4, info: 5, seccomp: 6, passwd: 7, shell: 8, life: 9 } as const;

const mebibyte = 1024 * 1024;

/** A path that is mounted for the tool: read-only, at the same place as outside. */
export interface OpenedPath {
  readonly path: string;
  /** The real path, with symbolic links resolved. */
  readonly source: string;
}

export interface Confinement {
  readonly programs: SandboxPrograms;
  readonly uid: number;
  /** False where a container does not allow mounting /proc; the tool sees an empty one then. */
  readonly hasProc: boolean;
  readonly systemFolders: readonly SystemFolder[];
  readonly opened: readonly OpenedPath[];
  /** Paths that stay hidden even inside mounted folders. */
  readonly hidden: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: ToolLimits;
}

export interface SystemFolder {
  readonly path: string;
  /** Target of the link, on systems where e.g. /bin is a link into /usr. */
  readonly link: string | undefined;
}

/** The folders with programs and libraries that exist on this system. */
export async function findSystemFolders(): Promise<SystemFolder[]> {
  const found: SystemFolder[] = [];
  for (const path of ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/lib32', '/libx32']) {
    const stats = await lstat(path).catch(() => undefined);
    if (stats?.isSymbolicLink() === true) found.push({ path, link: await readlink(path) });
    else if (stats?.isDirectory() === true) found.push({ path, link: undefined });
  }
  return found;
}

/** Files in /etc that programs need. None of them is secret. */
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
    // Execute-only: the kernel then protects the memory of the first process, so that the tool cannot change it to
    // outlive the service.
    ['--perms', '0111', '--ro-bind-data', String(fds.shell), firstPath],
    ['--perms', '0555', '--ro-bind-data', String(fds.content), toolPath],
    ['--remount-ro', '/', '--chdir', '/tmp', '--', ...innerCommand(confinement)],
  ].flat();
}

/** Without /dev/zero, which mapped as shared memory is counted for no process, and without terminals. */
const devices = [
  ['--size', '65536', '--tmpfs', '/dev'],
  ['null', 'full', 'random', 'urandom'].flatMap((name) => ['--dev-bind', `/dev/${name}`, `/dev/${name}`]),
  ['--symlink', '/proc/self/fd', '/dev/fd', '--symlink', '/proc/self/fd/0', '/dev/stdin'],
  ['--symlink', '/proc/self/fd/1', '/dev/stdout', '--symlink', '/proc/self/fd/2', '/dev/stderr'],
  ['--symlink', '/tmp', '/dev/shm', '--remount-ro', '/dev'],
].flat();

/**
 * The command inside, run with all confinement in place: a shell reports that it is ready, waits until the service has
 * verified it, and starts the tool. If the service is gone, the go never arrives and the tool does not start. The shell
 * stays as the first process: it ends with the tool, and the kernel then kills what the tool left running. Bubblewrap's
 * own first process would be left to the host's init to reap.
 */
function innerCommand({ programs, limits }: Confinement): string[] {
  const handshake = `echo ready >&${fds.control} && read -r go <&${fds.control} || exit 125; exec ${fds.control}<&-`;
  // The shell's message about a child that a signal ended must not mix with the tool's output.
  const script = `${handshake}; exec 4>&2 2>/dev/null; "$@" 2>&4 4>&-; exit $?`;
  const memory = String(limits.memoryMb * mebibyte);
  const { processes, openFiles, cpuSeconds } = limits;
  const each = [
    // 1, not 0: where core dumps are piped to a program, only 1 disables them.
    '--core=1:1',
    `--nproc=${processes}:${processes}`,
    `--nofile=${openFiles}:${openFiles}`,
    // The watchdog sums up all processes; these limits stop a single process that it would notice too late.
    `--data=${memory}:${memory}`,
    `--cpu=${cpuSeconds + 1}:${cpuSeconds + 1}`,
    `--fsize=${limits.tmpMb * mebibyte}`,
    '--memlock=0:0',
    '--msgqueue=0:0',
  ];
  return [firstPath, '-c', script, 'sh', programs.prlimit, ...each, '--', toolPath];
}
