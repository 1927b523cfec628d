// Verifies from outside that the process about to become the tool is confined, so that no tool runs unconfined.
import { readFile, readlink, stat } from 'node:fs/promises';
import { fds, type OpenedPath } from './confinement.ts';
import { inheritedDescriptors } from './inherited-descriptors.ts';

const namespaces = ['user', 'pid', 'net', 'ipc', 'uts', 'mnt', 'cgroup'];

/** @throws Error that names the first missing restriction */
export async function assertConfined(pid: number): Promise<void> {
  for (const kind of namespaces) {
    const [serviceNamespace, its] = [
      await readlink(`/proc/self/ns/${kind}`),
      await readlink(`/proc/${pid}/ns/${kind}`),
    ];
    if (serviceNamespace === its) throw new Error(`it shares our ${kind} namespace`);
  }
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const wanted = { CapEff: /^0+$/, CapPrm: /^0+$/, CapInh: /^0+$/, CapBnd: /^0+$/, NoNewPrivs: /^1$/, Seccomp: /^2$/ };
  for (const [name, form] of Object.entries(wanted)) {
    const value = new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? '';
    if (!form.test(value)) throw new Error(`${name} is ${value}`);
  }
}

/**
 * Asserts that every descriptor the process will inherit is one of the service's pipes or /dev/null. Runs before
 * bubblewrap starts: inside the sandbox only root could read these links.
 * @throws Error that names the first other descriptor
 */
export async function assertNoOpenDescriptors(pid: number): Promise<void> {
  const highestServiceFd = Math.max(...Object.values(fds));
  for (const fd of inheritedDescriptors(pid).filter((each) => each > highestServiceFd)) {
    const target = await readlink(`/proc/${pid}/fd/${fd}`);
    if (target !== '/dev/null') throw new Error(`descriptor ${fd} leads to ${target}`);
  }
}

/** Asserts that the mounted paths are the ones that were checked, in case folders were exchanged meanwhile. @throws Error */
export async function assertPathsUnchanged(
  pid: number,
  opened: readonly OpenedPath[],
  seen: readonly string[],
): Promise<void> {
  for (const [i, { path }] of opened.entries()) {
    if ((await fileIdentity(`/proc/${pid}/root${path}`)) !== seen[i]) throw new Error(`${path} was exchanged`);
  }
}

/** Device and inode, which identify a file under any name. */
export async function fileIdentity(file: string): Promise<string> {
  const { dev, ino } = await stat(file, { bigint: true });
  return `${dev}:${ino}`;
}
