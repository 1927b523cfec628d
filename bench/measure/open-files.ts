// How many files and sockets a process of this machine may have open.
import { readFile } from 'node:fs/promises';

/** Files besides a connection per worker: the database, the logs, the programs' own files. */
const otherFiles = 300;

/** @throws Error with a remedy, when the limit is too low for this number of connections */
export async function assertConnectionsAllowed(connections: number): Promise<void> {
  // Node has raised its own limit to the hard one already; its children inherit that.
  const limits = await readFile('/proc/self/limits', 'latin1');
  const soft = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1];
  const allowed = soft === undefined || soft === 'unlimited' ? Infinity : Number(soft);
  const needed = connections + otherFiles;
  if (allowed >= needed) return;
  throw new Error(
    `A process may have ${allowed} files open here; ${connections} connected workers need ${needed}. Raise the hard limit ` +
      `(as root: ulimit -Hn ${needed}; in a systemd unit: LimitNOFILE=${needed}; in compose: ulimits: nofile), or run ` +
      `this with --workers ${Math.max(1, allowed - otherFiles)}.`,
  );
}
