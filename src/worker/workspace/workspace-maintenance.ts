// Removes files on a worker's disk that attempts left for later and nobody used for a while. Everything here lies in
// the worker's state folder; a user's folder is never touched, nor a workspace in use.
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
  readonly stateDir: string;
  readonly git: Git;
  /** How long unused files stay. */
  readonly keepMs: number;
  /** Deadline for packing a clone. */
  readonly packTimeoutMs: number;
  readonly log: WorkerLog;
}

const maintenanceIntervalMs = 6 * 3_600_000;
/** Git's own threshold decides whether packing is worth it; all other calls keep git from packing by itself. */
const pack = ['-c', 'gc.auto=6700', '-c', 'gc.autoDetach=false', 'gc', '--auto', '--quiet'];

/** Maintains the workspaces every 6 hours. Never rejects: failures are logged and tried again. */
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
 * One round: removes clones that no attempt used for `keepMs`, damaged clones, and folders that were kept because their
 * changes could not be. Other clones lose branches as old, and are packed when that is worth it. A kill at any moment
 * leaves either everything or leftovers that the next round removes.
 */
export async function maintainWorkspaces(options: WorkspaceMaintenanceOptions, signal: AbortSignal): Promise<void> {
  const { stateDir, keepMs, log } = options;
  const attempt = async (what: string, work: () => Promise<void>): Promise<void> => {
    if (signal.aborted) return;
    await work().catch((error: unknown) =>
      log.warn({ what, error: describeError(error) }, 'could not clean up; will retry in the next round'),
    );
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
    log.info({ folder: path }, 'removed an old folder that was kept because its changes could not be saved');
  }
}

/** Holds the lock that every attempt takes before it opens the clone, whose time of use is then current. */
async function maintainClone(folder: string, options: WorkspaceMaintenanceOptions, signal: AbortSignal): Promise<void> {
  const { stateDir, keepMs, log } = options;
  await using lock = await lockFolder(folder, { stateDir, signal, onWait: () => Promise.resolve() });
  if (lock === undefined) return;
  const now = await diskTimeMs(stateDir);
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    if (isDraft(name)) await remove(path);
    else if (isDiscarded(name)) {
      // The rename when it was put aside was its last change.
      if (name.includes('.gone-') || now - (await stat(path)).ctimeMs >= keepMs) await remove(path);
    } else {
      const usedMs = await lastUseMs(path);
      // A clone of an earlier version has no recorded use; its time starts now.
      if (usedMs === undefined) await markUsed(path);
      if (usedMs === undefined || now - usedMs < keepMs || (await hasWorktree(path))) {
        await tidyClone(path, now - keepMs, options, signal);
      } else {
        const gone = `${path}.gone-${randomUUID()}`;
        await rename(path, gone);
        await remove(gone);
        log.info({ clone: path }, 'removed a clone that no task used for a while');
      }
    }
  }
}

/** Uses a git folder of the worker, because agents of all attempts can configure the clone. */
async function tidyClone(
  root: string,
  beforeMs: number,
  options: WorkspaceMaintenanceOptions,
  signal: AbortSignal,
): Promise<void> {
  const { stateDir, packTimeoutMs } = options;
  const found = await findGit(options.git, await realpath(root));
  // Damaged: the next attempt sets it aside.
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

/** Whether a worktree of the clone exists, of an attempt or in a kept folder. */
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
