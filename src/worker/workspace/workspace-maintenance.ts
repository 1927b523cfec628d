// What runs leave on a worker's disk for later, and nobody came back for: it goes after a while. Everything here lies in
// the worker's own folder; a user's folder is never touched, nor is a place where a run is at work.
import { randomUUID } from 'node:crypto';
import { readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { WorkerLog } from '../base/log.ts';
import { describeError } from '../base/service-error.ts';
import { clonesFolder, isDraft, isDiscarded, lastUseMs, markUsed } from './clone.ts';
import { diskTimeMs } from './disk-time.ts';
import { findGit } from './git/find-git.ts';
import { lockFolder, sweepLocks } from './folder-lock.ts';
import type { Git } from './git/git.ts';
import { openIsolatedGit } from './git/isolated-git.ts';
import { removeKeptAttempt, findKeptAttempts } from './attempt-folder.ts';
import { dropOldBranches } from './task-branch.ts';
import { errorCode } from '../../lib/system/error-code.ts';

export interface WorkspaceMaintenanceOptions {
  stateDir: string;
  git: Git;
  /** How long what nobody uses stays. */
  keepMs: number;
  /** How long git may take to pack a clone. */
  packTimeoutMs: number;
  log: WorkerLog;
}

const maintenanceIntervalMs = 6 * 3_600_000;
/** Git's own measure of when packing is worth it; all other calls of ours keep it from packing by itself. */
const pack = ['-c', 'gc.auto=6700', '-c', 'gc.autoDetach=false', 'gc', '--auto', '--quiet'];

/** Tends the worker's places from now on, every 6 hours. Never rejects: what fails is logged and tried again. */
export async function runWorkspaceMaintenance(
  options: WorkspaceMaintenanceOptions,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await maintainWorkspaces(options, signal);
    await clock.wait(maintenanceIntervalMs, signal);
  }
}

/**
 * One round: clones that no run used for `keepMs` go, as do damaged ones that were set aside and folders that were kept
 * because their changes could not be; other clones lose branches as old, and are packed when that is worth it. A kill at
 * any moment leaves either the whole thing or what the next round takes away.
 */
export async function maintainWorkspaces(options: WorkspaceMaintenanceOptions, signal: AbortSignal): Promise<void> {
  const { stateDir, keepMs, log } = options;
  const attempt = async (what: string, work: () => Promise<void>): Promise<void> => {
    if (signal.aborted) return;
    await work().catch((error: unknown) => log.warn({ what, error: describeError(error) }, 'could not be tidied up'));
  };
  await attempt('locks', async () => sweepLocks(stateDir, (await diskTimeMs(stateDir)) - keepMs));
  await attempt('folders', () => dropKept(options, signal));
  for (const folder of await foldersIn(clonesFolder(stateDir))) {
    await attempt(folder, () => maintainClone(folder, options, signal));
  }
}

async function dropKept(
  { stateDir, git, keepMs, log }: WorkspaceMaintenanceOptions,
  signal: AbortSignal,
): Promise<void> {
  const now = await diskTimeMs(stateDir);
  for (const { path, sinceMs } of await findKeptAttempts(stateDir)) {
    if (signal.aborted) return;
    if (now - sinceMs < keepMs) continue;
    await removeKeptAttempt(git, path);
    log.info({ folder: path }, 'a folder that was kept because its changes could not be is removed');
  }
}

/** Under the lock that every run takes before it opens the clone: what it has opened was used just now. */
async function maintainClone(folder: string, options: WorkspaceMaintenanceOptions, signal: AbortSignal): Promise<void> {
  const { stateDir, keepMs, log } = options;
  await using lock = await lockFolder(folder, { stateDir, signal, onWait: () => Promise.resolve() });
  if (lock === undefined) return;
  const now = await diskTimeMs(stateDir);
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    if (isDraft(name)) await remove(path);
    else if (isDiscarded(name)) {
      // Its name was given to it when it was put aside: that is what changed it last.
      if (name.includes('.gone-') || now - (await stat(path)).ctimeMs >= keepMs) await remove(path);
    } else {
      const usedMs = await lastUseMs(path);
      // One of a former version, which noted nothing, counts from now.
      if (usedMs === undefined) await markUsed(path);
      if (usedMs === undefined || now - usedMs < keepMs || (await hasWorktree(path))) {
        await tidyClone(path, now - keepMs, options, signal);
      } else {
        const gone = `${path}.gone-${randomUUID()}`;
        await rename(path, gone);
        await remove(gone);
        log.info({ clone: path }, 'a clone that no task asked for is removed');
      }
    }
  }
}

/** By a git folder of our own, for agents of all runs can configure the clone. */
async function tidyClone(
  root: string,
  beforeMs: number,
  options: WorkspaceMaintenanceOptions,
  signal: AbortSignal,
): Promise<void> {
  const { stateDir, packTimeoutMs } = options;
  const found = await findGit(options.git, await realpath(root));
  // Damaged: the next run sets it aside.
  if (found === undefined) return;
  const folder = join(stateDir, 'runs', `tidy-${randomUUID()}`);
  try {
    const { git } = await openIsolatedGit(options.git, found, { folder, stateDir, worktrees: true });
    await dropOldBranches({ git, root }, beforeMs);
    await git.run(pack, { cwd: root, deadlineMs: packTimeoutMs, signal });
  } finally {
    await remove(folder);
  }
}

/** Whether a folder somewhere works on the clone: of a run, or one that was kept. */
async function hasWorktree(root: string): Promise<boolean> {
  const known = join(root, '.git/worktrees');
  for (const name of await namesIn(known)) {
    const gitFile = await readFile(join(known, name, 'gitdir'), 'utf8').catch(() => '');
    const found = await stat(gitFile.trim()).catch(() => undefined);
    if (found !== undefined) return true;
  }
  return false;
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
}

async function foldersIn(folder: string): Promise<string[]> {
  return (await namesIn(folder)).map((name) => join(folder, name));
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}
