// Is it confined? Looked at from outside, at the process that waits to become the tool: no tool ever runs bare.
import { readFile, readlink, stat } from 'node:fs/promises';
import { fds, type OpenedPath } from './confinement.ts';
import { inheritedDescriptors } from './inherited.ts';

const namespaces = ['user', 'pid', 'net', 'ipc', 'uts', 'mnt', 'cgroup'];

/** @throws Error that names the first wall that is missing */
export async function mustBeConfined(pid: number): Promise<void> {
  for (const kind of namespaces) {
    const [own, its] = [await readlink(`/proc/self/ns/${kind}`), await readlink(`/proc/${pid}/ns/${kind}`)];
    if (own === its) throw new Error(`it shares our ${kind} namespace`);
  }
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const wanted = { CapEff: /^0+$/, CapPrm: /^0+$/, CapInh: /^0+$/, CapBnd: /^0+$/, NoNewPrivs: /^1$/, Seccomp: /^2$/ };
  for (const [name, form] of Object.entries(wanted)) {
    const value = new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? '';
    if (!form.test(value)) throw new Error(`${name} is ${value}`);
  }
}

/**
 * What it will hand on is ours, or leads nowhere. Looked at before bubblewrap: within the sandbox only root could.
 * @throws Error that names the first descriptor that leads elsewhere
 */
export async function mustLeadNowhere(pid: number): Promise<void> {
  const own = Math.max(...Object.values(fds));
  for (const fd of inheritedDescriptors(pid).filter((each) => each > own)) {
    const leads = await readlink(`/proc/${pid}/fd/${fd}`);
    if (leads !== '/dev/null') throw new Error(`descriptor ${fd} leads to ${leads}`);
  }
}

/** What was bound is what was looked at, whoever moved folders meanwhile. @throws Error */
export async function mustBeOpened(pid: number, opened: readonly OpenedPath[], seen: readonly string[]): Promise<void> {
  for (const [i, { path }] of opened.entries()) {
    if ((await identityOf(`/proc/${pid}/root${path}`)) !== seen[i]) throw new Error(`${path} was exchanged`);
  }
}

/** Device and inode: what a file is, whatever it is called. */
export async function identityOf(file: string): Promise<string> {
  const { dev, ino } = await stat(file, { bigint: true });
  return `${dev}:${ino}`;
}
