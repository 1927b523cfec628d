// The folder of one attempt (prompt, private home, worktree), and the cleanup after a killed worker.
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, normalize, sep } from 'node:path';
import { z } from 'zod';
import { recordedTree, removeContainment, toProcessTree, type AttemptContainment } from '../process/containment.ts';
import { isAlive, ownIdentity } from '../../lib/system/process-identity.ts';
import { terminateTree } from '../process/kill.ts';
import type { Git } from './git/git.ts';
import { removeWorktree } from './git/linked-worktree.ts';
import { readIfPresent } from '../../lib/system/read-if-present.ts';
import { tryParseJson } from '../../lib/json/json-text.ts';

/** The record of an attempt, by which another process can end it and clean up. */
const record = z.object({
  pid: z.int(),
  start: z.string(),
  tag: z.string(),
  /** Folder of the control group of its processes. */
  group: z.string().optional(),
  /** A worktree in the folder, and its repository. */
  worktree: z.object({ path: z.string(), root: z.string() }).optional(),
});
type Worktree = NonNullable<z.infer<typeof record>['worktree']>;

/** The record of a kept folder. Under the other name the folder would be swept. */
const keptRecord = 'kept.json';

export interface AttemptFolder extends AsyncDisposable {
  readonly path: string;
  /** Records a worktree before it is made. */
  note(worktree: Worktree): Promise<void>;
  /** Keeps the folder when the attempt ends, because it holds something that must not be lost. */
  keep(): void;
  kept(): boolean;
}

function attemptsFolder(stateDir: string): string {
  return join(stateDir, 'runs');
}

/** Creates a folder for an attempt below `stateDir`, readable by this user alone. */
export async function openAttemptFolder(
  stateDir: string,
  taskId: string,
  contained: AttemptContainment,
): Promise<AttemptFolder> {
  const { tag, group } = toProcessTree(contained);
  await mkdir(attemptsFolder(stateDir), { recursive: true, mode: 0o700 });
  // A repository around the state folder ignores everything in it.
  await writeFile(join(stateDir, '.gitignore'), '*\n');
  const path = await mkdtemp(join(attemptsFolder(stateDir), `${taskId}-`));
  const file = join(path, 'run.json');
  const owner = await ownIdentity();
  let kept = false;
  async function write(more: { worktree?: Worktree }): Promise<void> {
    await writeFile(`${file}.new`, JSON.stringify({ ...owner, tag, group, ...more }), { mode: 0o600 });
    await rename(`${file}.new`, file);
  }
  await write({});
  return {
    path,
    note: (worktree) => write({ worktree }),
    keep() {
      kept = true;
    },
    kept: () => kept,
    async [Symbol.asyncDispose]() {
      await removeContainment({ group });
      if (kept) {
        await rename(file, join(path, keptRecord));
        return;
      }
      const rest = (await readdir(path)).filter((name) => name !== 'run.json');
      const removed = await Promise.all(rest.map((name) => remove(join(path, name))));
      // A folder that could not be removed keeps its record, so that the next start sweeps it.
      if (removed.every(Boolean)) await remove(path);
    },
  };
}

export interface SweepOptions {
  readonly stateDir: string;
  readonly git: Git;
  /** Time between SIGTERM and SIGKILL for remaining agents. */
  readonly killGraceMs: number;
}

/**
 * Cleans up after killed workers: ends remaining processes of their agents, removes their worktrees and folders. Must
 * be called at the start of a worker, before it takes a task.
 * @returns how many attempts were cleaned up
 */
export async function sweepAttempts({ stateDir, git, killGraceMs }: SweepOptions): Promise<number> {
  await mkdir(attemptsFolder(stateDir), { recursive: true, mode: 0o700 });
  let swept = 0;
  for (const name of await readdir(attemptsFolder(stateDir))) {
    const path = join(attemptsFolder(stateDir), name);
    const recorded = await readRecord(join(path, 'run.json'));
    if (recorded === undefined || (recorded !== 'damaged' && (await isAlive(recorded)))) continue;
    if (recorded !== 'damaged') {
      // By tag and group, because process ids may have been reused.
      const tree = recordedTree(recorded.tag, recorded.group);
      await terminateTree(tree, killGraceMs);
      await removeContainment(tree);
      await removeOwnWorktree(git, path, recorded.worktree);
    }
    await remove(path);
    swept += 1;
  }
  return swept;
}

/** A folder that was kept when its attempt ended. */
export interface KeptAttempt {
  readonly path: string;
  /** By the disk's clock; long ago for a half-removed folder. */
  readonly sinceMs: number;
}

/** Folders of attempts that were kept on purpose. */
export async function findKeptAttempts(stateDir: string): Promise<KeptAttempt[]> {
  const names = await readdir(attemptsFolder(stateDir)).catch(() => []);
  const kept: KeptAttempt[] = [];
  for (const name of names) {
    const path = join(attemptsFolder(stateDir), name);
    if (name.endsWith(goneEnding)) kept.push({ path, sinceMs: 0 });
    else if ((await readRecord(join(path, 'run.json'))) === undefined) {
      // A younger folder may be in the making; those of an earlier version have no record.
      const found = (await stat(join(path, keptRecord)).catch(() => undefined)) ?? (await stat(path));
      kept.push({ path, sinceMs: found.ctimeMs });
    }
  }
  return kept;
}

const goneEnding = '.gone';

/** Removes a kept folder, and the repository's entry for the worktree in it. */
export async function removeKeptAttempt(git: Git, path: string): Promise<void> {
  const recorded = await readRecord(join(path, keptRecord));
  if (recorded !== undefined && recorded !== 'damaged') await removeOwnWorktree(git, path, recorded.worktree);
  // The new name marks a half-removed folder.
  const gone = path.endsWith(goneEnding) ? path : `${path}${goneEnding}`;
  if (gone !== path) await rename(path, gone);
  await rm(gone, { recursive: true, force: true, maxRetries: 3 });
}

/**
 * @returns undefined without a record: the folder was kept on purpose, or is in the making; `damaged` for a record that
 * was half written when the machine crashed
 */
async function readRecord(file: string): Promise<z.infer<typeof record> | 'damaged' | undefined> {
  const text = await readIfPresent(file);
  return text === undefined ? undefined : (record.safeParse(tryParseJson(text)).data ?? 'damaged');
}

/** @returns false when something could not be removed: a process out of reach still writes there */
async function remove(path: string): Promise<boolean> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
    return true;
  } catch {
    return false;
  }
}

/** Removes the recorded worktree, only if it lies in the attempt's folder: the agent could write the record too. */
async function removeOwnWorktree(git: Git, folder: string, worktree: Worktree | undefined): Promise<void> {
  if (worktree && normalize(worktree.path).startsWith(folder + sep)) await removeWorktree(git, worktree);
}
