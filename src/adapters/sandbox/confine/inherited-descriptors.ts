// Descriptors that the service itself was started with and that would go on to whatever it starts: a terminal's, a
// launcher's. Node marks all of its own to be closed; of these it knows nothing.
import { readdirSync, readFileSync } from 'node:fs';

/** O_CLOEXEC, in the octal flags of /proc/self/fdinfo. */
const closedOnExec = 0o2000000;

/** Those above standard error that a program which it starts, or becomes, would have. */
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
    // Closed since it was listed, like the folder's own.
    return false;
  }
}
