// Finds the system programs that confine tools.
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';

export interface SandboxPrograms {
  readonly bwrap: string;
  /** From util-linux: limits for each process. */
  readonly prlimit: string;
  /** From util-linux: opens a port within a tool's own network. */
  readonly nsenter: string;
  /** From coreutils: creates the pipes of a run. */
  readonly mkfifo: string;
  readonly shell: string;
}

const folders = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin'];

/** @param bwrap the operator's choice. @returns name and package of a missing program, if one is missing */
export async function findSandboxPrograms(
  bwrap: string | undefined,
): Promise<SandboxPrograms | { missing: string; package: string }> {
  const found = bwrap === undefined ? await find('bwrap') : (await isProgram(bwrap)) ? bwrap : undefined;
  if (found === undefined) return { missing: bwrap ?? 'bwrap', package: 'bubblewrap' };
  const [prlimit, nsenter, mkfifo] = await Promise.all(['prlimit', 'nsenter', 'mkfifo'].map(find));
  if (prlimit === undefined) return { missing: 'prlimit', package: 'util-linux' };
  if (nsenter === undefined) return { missing: 'nsenter', package: 'util-linux' };
  if (mkfifo === undefined) return { missing: 'mkfifo', package: 'coreutils' };
  return { bwrap: found, prlimit, nsenter, mkfifo, shell: '/bin/sh' };
}

async function find(name: string): Promise<string | undefined> {
  for (const folder of folders) {
    const file = path.join(folder, name);
    if (await isProgram(file)) return file;
  }
  return undefined;
}

function isProgram(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
