// The two pipes of a run's output. Named pipes, for Node's own pipes are sockets, which cannot be opened by path, as shell
// scripts do with /dev/stdout and /dev/stderr. The input stays a socket: a named pipe that is opened for reading after
// all was written waits for a writer for ever.
import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

export interface Pipes extends Disposable {
  readonly stdout: Socket;
  readonly stderr: Socket;
  /** The run's ends: standard output, standard error. */
  readonly ends: readonly number[];
  /** Closes the service's copies of the run's ends, once the run has its own. */
  closeRunEnds(): void;
}

const patienceMs = 10_000;

/** @param mkfifo the program. @throws Error where no pipe can be made */
export async function openPipes(mkfifo: string): Promise<Pipes> {
  // The folder is private, so the pipes in it may be open to all: the tool's user reopens them through /proc.
  const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-tool-'));
  try {
    const files = ['out', 'err'].map((name) => path.join(folder, name));
    await promisify(execFile)(mkfifo, ['-m', '0666', ...files], { env: {}, timeout: patienceMs });
    const opened = files.map(bothEnds);
    const ends = opened.map(({ write }) => write);
    const [stdout, stderr] = opened.map(({ read }) => new Socket({ fd: read, writable: false }));
    if (stdout === undefined || stderr === undefined) throw new Error('no pipes');
    const closeRunEnds = (): void => {
      for (const fd of ends.splice(0)) closeSync(fd);
    };
    const close = (): void => {
      closeRunEnds();
      for (const stream of [stdout, stderr]) stream.destroy();
    };
    return { stdout, stderr, ends, closeRunEnds, [Symbol.dispose]: close };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function bothEnds(file: string): { read: number; write: number } {
  // Opening one end alone would block until the other is opened.
  const both = openSync(file, constants.O_RDWR);
  try {
    return { read: openSync(file, constants.O_RDONLY), write: openSync(file, constants.O_WRONLY) };
  } finally {
    closeSync(both);
  }
}
