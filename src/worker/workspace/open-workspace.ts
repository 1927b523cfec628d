// Opens the work place of one run: a worktree of its own, or the bound folder itself, one run at a time.
import { join } from 'node:path';
import { isGitUrl } from '../../lib/text/git-url.ts';
import { openClone, type ClonePolicy } from './clone.ts';
import { lockFolder } from './folder-lock.ts';
import { notePlain } from './git/known-links.ts';
import { openOwnGit } from './git/own-git.ts';
import { inspectFolder, type PlainFolder, type Repository } from './git/repository.ts';
import { openPlainSnapshots, openSnapshots } from './snapshot.ts';
import { openWorktree } from './worktree.ts';
import { WorkspaceError } from './git/workspace-error.ts';
import type { PlaceOptions, Workplace, Workspace } from './workspace.ts';

type Before = Pick<Workspace, 'snapshots' | 'before' | 'note' | 'gitFolders'>;

async function lookAtRepository(options: PlaceOptions, place: Repository): Promise<Before> {
  const { folder, stateDir } = options;
  const { git, elsewhere } = await openOwnGit(options.git, place, { folder: join(folder.path, 'git'), stateDir });
  const opening = { git, folder: join(folder.path, 'before'), stateDir };
  const snapshots = await openSnapshots(opening, place, 'aside');
  // Of a part of a repository git reads the top folder too.
  const gitFolders = [place.root, place.gitDir, place.commonDir, ...elsewhere];
  return { snapshots, before: await snapshots.take(), note: undefined, gitFolders };
}

/** A plain folder may be anything, a home folder too: one that cannot be read in time is worked in without a diff. */
async function lookAtPlain({ git, folder, stateDir }: PlaceOptions, { root }: PlainFolder): Promise<Before> {
  const gitFolders: string[] = [];
  await notePlain(root, stateDir);
  try {
    const snapshots = await openPlainSnapshots({ git, folder: join(folder.path, 'before'), stateDir }, root);
    return { snapshots, before: await snapshots.take(), note: undefined, gitFolders };
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    const note = `There will be no diff of this run: ${error.message}`;
    return { snapshots: undefined, before: '', note, gitFolders };
  }
}

async function openInPlace(
  options: PlaceOptions,
  place: Repository | PlainFolder,
  path: string,
  lock: AsyncDisposable,
): Promise<Workspace> {
  try {
    return {
      ...(await (place.kind === 'git' ? lookAtRepository(options, place) : lookAtPlain(options, place))),
      path,
      repository: place.root,
      keepChanges: () => Promise.resolve(undefined),
      keepFolder: () => path,
      [Symbol.asyncDispose]: () => lock[Symbol.asyncDispose](),
    };
  } catch (error) {
    await lock[Symbol.asyncDispose]();
    throw error;
  }
}

export interface OpenOptions extends PlaceOptions {
  clones: ClonePolicy;
  signal: AbortSignal;
  onWait: () => Promise<void>;
}

async function openCloned(url: string, options: OpenOptions): Promise<Workspace | undefined> {
  const clone = await openClone(url, { ...options, policy: options.clones });
  if (clone === undefined) return undefined;
  const found = await inspectFolder(options.git, clone.root);
  if (found.kind === 'git') return openWorktree(options, found, clone.origin);
  throw new WorkspaceError('workspace_unusable', `The clone ${clone.root} is damaged. Remove it and retry the task.`);
}

/**
 * Opens the work place of a run. In place, it waits until no other run is in the folder.
 * @param onWait called once when it has to wait
 * @returns undefined when `signal` aborted while it waited
 * @throws WorkspaceError
 */
export async function openWorkspace(workplace: Workplace, options: OpenOptions): Promise<Workspace | undefined> {
  const { git, stateDir } = options;
  if (isGitUrl(workplace.path)) return openCloned(workplace.path, options);
  const found = await inspectFolder(git, workplace.path);
  if (workplace.mode === 'worktree') {
    if (found.kind === 'git') return openWorktree(options, found);
    const hint = 'Make it a repository (git init), or bind it with the mode in_place.';
    throw new WorkspaceError('workspace_unusable', `${workplace.path} is not a git repository. ${hint}`);
  }
  // By the repository, so that runs in two folders of one repository do not mix either.
  const lock = await lockFolder(found.root, { stateDir, signal: options.signal, onWait: options.onWait });
  if (lock === undefined) return undefined;
  const path = found.kind === 'git' ? join(found.root, found.prefix) : found.root;
  return openInPlace(options, found, path, lock);
}
