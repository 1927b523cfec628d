// Descriptors that the service was started with (by a terminal or launcher) and that its children would inherit. Node
// marks its own descriptors close-on-exec, but not these.
import { readdirSync, readFileSync } from 'node:fs';

/** O_CLOEXEC, in the octal flags of /proc/self/fdinfo. */
const closedOnExec = 0o2000000;

/** The descriptors above standard error that survive an exec of the process. */
export function inheritedDescriptors(pid: number | 'self'): number[] {
  return readdirSync(`/proc/${pid}/fd`)
    .map(Number)
    .filter((fd) => fd > 2 && isInherited(pid, fd));
}

function isInherited(pid: number | 'self', fd: number): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & closedOnExec) === 0;
  } catch {
    // Closed since the listing, like the descriptor of the listing itself.
    return false;
  }
}
