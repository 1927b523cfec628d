// The two pipes of a run's output. Real ones, for what Node makes for a child are sockets, and those cannot be opened by
// name, as shell scripts do with /dev/stdout and /dev/stderr. Its input stays a socket: a named pipe that is opened for
// reading after all was written waits for a writer who never comes.
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
  /** Lets go of the run's ends, which it has itself by then. */
  closeRunEnds(): void;
}

const patienceMs = 10_000;

/** @param mkfifo the program. @throws Error where no pipe can be made */
export async function openPipes(mkfifo: string): Promise<Pipes> {
  // Nobody else may enter it, so whoever runs the tool may open what lies in it, once it has it.
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
  // One end alone would wait for the other.
  const both = openSync(file, constants.O_RDWR);
  try {
    return { read: openSync(file, constants.O_RDONLY), write: openSync(file, constants.O_WRONLY) };
  } finally {
    closeSync(both);
  }
}
