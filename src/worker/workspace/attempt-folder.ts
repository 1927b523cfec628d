// The folder of one run: its prompt, its private home, its worktree; and the sweeping up after a worker that died.
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, normalize, sep } from 'node:path';
import { z } from 'zod';
import { recordedTree, removeContainment, toProcessTree, type AttemptContainment } from '../process/containment.ts';
import { isAlive, ownIdentity } from '../process/identity.ts';
import { terminateTree } from '../process/kill.ts';
import type { Git } from './git/git.ts';
import { removeWorktree } from './git/linked-worktree.ts';
import { errorCode } from '../../lib/system/error-code.ts';

/** What is written down of a run, so that another process can end it and clean up. */
const record = z.object({
  pid: z.int(),
  start: z.string(),
  tag: z.string(),
  /** Folder of the control group of its processes. */
  group: z.string().optional(),
  /** A worktree in the folder, and the repository that knows of it. */
  worktree: z.object({ path: z.string(), root: z.string() }).optional(),
});
type Worktree = NonNullable<z.infer<typeof record>['worktree']>;

/** The record of a folder that was kept. Not the other name, under which it would be swept. */
const keptRecord = 'kept.json';

export interface AttemptFolder extends AsyncDisposable {
  path: string;
  /** Writes down that a worktree is made, before it is made. */
  note(worktree: Worktree): Promise<void>;
  /** The folder stays when the run ends: something in it must not be lost. */
  keep(): void;
  kept(): boolean;
}

function attemptsFolder(stateDir: string): string {
  return join(stateDir, 'runs');
}

/** Makes a folder for a run under `stateDir`, readable by this user alone. */
export async function openAttemptFolder(
  stateDir: string,
  taskId: string,
  contained: AttemptContainment,
): Promise<AttemptFolder> {
  const { tag, group } = toProcessTree(contained);
  await mkdir(attemptsFolder(stateDir), { recursive: true, mode: 0o700 });
  // Nothing in here is part of whatever repository the folder lies in.
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
      // What could not be removed keeps its record, by which it is swept when a worker starts.
      if (removed.every(Boolean)) await remove(path);
    },
  };
}

export interface SweepOptions {
  stateDir: string;
  git: Git;
  /** Time between SIGTERM and SIGKILL for what is left of the agents. */
  killGraceMs: number;
}

/**
 * Cleans up after workers that were killed: ends what is left of their agents, removes their worktrees and folders.
 * To be called when a worker starts, before it takes a task.
 * @returns how many runs were cleaned up
 */
export async function sweepAttempts({ stateDir, git, killGraceMs }: SweepOptions): Promise<number> {
  await mkdir(attemptsFolder(stateDir), { recursive: true, mode: 0o700 });
  let swept = 0;
  for (const name of await readdir(attemptsFolder(stateDir))) {
    const path = join(attemptsFolder(stateDir), name);
    const recorded = await readRecord(join(path, 'run.json'));
    if (recorded === undefined || (recorded !== 'damaged' && (await isAlive(recorded)))) continue;
    if (recorded !== 'damaged') {
      // By its tag and its group: process ids may have been given out anew since.
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

/** A folder that stayed when its run ended. */
export interface KeptAttempt {
  path: string;
  /** By the disk's clock; long ago for what is half removed. */
  sinceMs: number;
}

/** Folders of runs that were kept on purpose. */
export async function findKeptAttempts(stateDir: string): Promise<KeptAttempt[]> {
  const names = await readdir(attemptsFolder(stateDir)).catch(() => []);
  const kept: KeptAttempt[] = [];
  for (const name of names) {
    const path = join(attemptsFolder(stateDir), name);
    if (name.endsWith(goneEnding)) kept.push({ path, sinceMs: 0 });
    else if ((await readRecord(join(path, 'run.json'))) === undefined) {
      // Younger ones may be just being made; those of a former version have no record.
      const found = (await stat(join(path, keptRecord)).catch(() => undefined)) ?? (await stat(path));
      kept.push({ path, sinceMs: found.ctimeMs });
    }
  }
  return kept;
}

const goneEnding = '.gone';

/** Removes a folder that was kept, and has its repository forget the worktree in it. */
export async function removeKeptAttempt(git: Git, path: string): Promise<void> {
  const recorded = await readRecord(join(path, keptRecord));
  if (recorded !== undefined && recorded !== 'damaged') await removeOwnWorktree(git, path, recorded.worktree);
  // What is half removed must be known as that.
  const gone = path.endsWith(goneEnding) ? path : `${path}${goneEnding}`;
  if (gone !== path) await rename(path, gone);
  await rm(gone, { recursive: true, force: true, maxRetries: 3 });
}

/**
 * @returns undefined without a record: the folder was kept on purpose, or is being made right now; `damaged` for one
 *   that the machine's own crash left half written
 */
async function readRecord(file: string): Promise<z.infer<typeof record> | 'damaged' | undefined> {
  try {
    return record.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    if (error instanceof SyntaxError || error instanceof z.ZodError) return 'damaged';
    throw error;
  }
}

/** @returns false when something could not be removed: somebody out of reach still writes there */
async function remove(path: string): Promise<boolean> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
    return true;
  } catch {
    return false;
  }
}

/** Removes the worktree that a run's record names. Its agent could write there too: none but one in the run's folder. */
async function removeOwnWorktree(git: Git, folder: string, worktree: Worktree | undefined): Promise<void> {
  if (worktree && normalize(worktree.path).startsWith(folder + sep)) await removeWorktree(git, worktree);
}
