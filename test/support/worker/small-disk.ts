// A disk of two megabytes, for tests of what happens when it is full.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface SmallDisk extends AsyncDisposable {
  path: string;
  /** Leaves no room on it, but the folders that are there. */
  fill(): Promise<void>;
  /** Makes room again. */
  empty(): Promise<void>;
}

/** Mounts a small file system under `folder`. @throws where the test may not mount one */
export async function smallDisk(folder: string): Promise<SmallDisk> {
  const path = await mkdtemp(join(folder, 'disk-'));
  await run('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', path]);
  const filler = join(path, 'filler');
  return {
    path,
    async fill() {
      await writeFile(filler, Buffer.alloc(4_000_000)).catch((error: unknown) => {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      });
    },
    empty: () => rm(filler, { force: true }),
    async [Symbol.asyncDispose]() {
      await run('umount', ['--lazy', path]);
    },
  };
}
