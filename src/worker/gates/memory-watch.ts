// Aborts when the processes of an attempt use more memory than they may.
import { readFileSync } from 'node:fs';
import { toProcessTree, type AttemptContainment } from '../process/containment.ts';
import { findProcesses } from '../process/process-tree.ts';

interface MemoryWatch extends Disposable {
  /** Aborts once the limit is passed. */
  readonly exceeded: AbortSignal;
}

const pollMs = 500;

/** Memory of a process that no file backs, in bytes; 0 for one that has just ended. */
function memoryOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const kilobytes = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)].map(([, size]) => Number(size));
    return kilobytes.reduce((sum, size) => sum + size, 0) * 1024;
  } catch {
    return 0;
  }
}

/**
 * Watches by polling, because control groups with a limit of memory need rights that few workers have. A process that
 * allocates faster than the poll meets the kernel's own limits. Systems without /proc are not watched.
 */
export function watchMemory(contained: AttemptContainment, mostBytes: number): MemoryWatch {
  const exceeded = new AbortController();
  const tree = toProcessTree(contained);
  const timer = setInterval(() => {
    const members = findProcesses(tree)?.members ?? [];
    if (members.reduce((sum, pid) => sum + memoryOf(pid), 0) > mostBytes) exceeded.abort();
  }, pollMs);
  timer.unref();
  return { exceeded: exceeded.signal, [Symbol.dispose]: () => clearInterval(timer) };
}
