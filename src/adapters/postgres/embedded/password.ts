// The password of the cluster's superuser: random, stored in a file that only the service's user can read.
import { randomBytes } from 'node:crypto';
import { open, rename } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from './process/command.ts';
import { failureFromOutput } from './process/failure.ts';
import { childEnvironment, launchCommand, type ServerContext } from './process/launch.ts';
import { syncFolder } from '../../../lib/system/sync-folder.ts';
import { readIfPresent } from '../../../lib/system/read-if-present.ts';

/** 256 bits in 43 characters that need no quoting anywhere. */
export function newPassword(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored password, or undefined when the file is missing or has other content. */
export async function readPassword(dataDir: string): Promise<string | undefined> {
  const text = (await readIfPresent(passwordFile(dataDir)))?.trim();
  return text !== undefined && /^[\w-]{43}$/.test(text) ? text : undefined;
}

/** Stores the password durably and atomically. */
export async function keepPassword(dataDir: string, password: string): Promise<void> {
  const half = `${passwordFile(dataDir)}.half`;
  {
    await using file = await open(half, 'w', 0o600);
    await file.writeFile(`${password}\n`);
    await file.sync();
  }
  await rename(half, passwordFile(dataDir));
  await syncFolder(dataDir);
}

/**
 * Sets a new password of the superuser when the old one is lost (a backup of the cluster alone was restored). The owner of
 * the files may do so in PostgreSQL's single-user mode. The statement is passed by standard input.
 */
export async function replacePassword(site: ServerContext, dir: string): Promise<string> {
  const { dataDir, runnable, env, log, signal } = site;
  log('The password of the embedded PostgreSQL is lost; setting a new one');
  const password = newPassword();
  const result = await runCommand({
    ...launchCommand(runnable.launcher, runnable.binaries.postgres, ['--single', '-D', dir, 'postgres']),
    env: childEnvironment(env),
    input: `alter role postgres password '${password}'\n`,
    deadlineMs: 120_000,
    signal,
  });
  signal?.throwIfAborted();
  if (result.exitCode !== 0 || /\bERROR:/.test(result.stderr)) {
    throw failureFromOutput(result.stderr.split('\n').filter(Boolean), dataDir, 'start_failed');
  }
  await keepPassword(dataDir, password);
  return password;
}

function passwordFile(dataDir: string): string {
  return path.join(dataDir, 'postgres-password');
}
