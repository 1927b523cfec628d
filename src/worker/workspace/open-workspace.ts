// Opens the workspace of one attempt: a worktree of its own, or the bound folder itself, one attempt at a time.
import { join } from 'node:path';
import { isGitUrl } from '../../lib/text/git-url.ts';
import { openClone, type ClonePolicy } from './clone.ts';
import { lockFolder } from './folder-lock.ts';
import { recordPlainFolder } from './git/known-links.ts';
import { openIsolatedGit } from './git/isolated-git.ts';
import { inspectFolder, type PlainFolder, type Repository } from './git/repository.ts';
import { openPlainSnapshots, openSnapshots } from './snapshot.ts';
import { openWorktree } from './worktree.ts';
import { WorkspaceError } from './git/workspace-error.ts';
import type { WorkspaceOptions, WorkspaceBinding, Workspace } from './workspace.ts';

type InitialState = Pick<Workspace, 'snapshots' | 'before' | 'note' | 'gitFolders'>;

async function snapshotRepository(options: WorkspaceOptions, repository: Repository): Promise<InitialState> {
  const { folder, stateDir } = options;
  const { git, elsewhere } = await openIsolatedGit(options.git, repository, {
    folder: join(folder.path, 'git'),
    stateDir,
  });
  const opening = { git, folder: join(folder.path, 'before'), stateDir };
  const snapshots = await openSnapshots(opening, repository, 'aside');
  // In a part of a repository git reads the top folder too.
  const gitFolders = [repository.root, repository.gitDir, repository.commonDir, ...elsewhere];
  return { snapshots, before: await snapshots.take(), note: undefined, gitFolders };
}

/** A plain folder may be anything, even a home folder: one that cannot be read in time is used without a diff. */
async function snapshotPlainFolder(
  { git, folder, stateDir }: WorkspaceOptions,
  { root }: PlainFolder,
): Promise<InitialState> {
  const gitFolders: string[] = [];
  await recordPlainFolder(root, stateDir);
  try {
    const snapshots = await openPlainSnapshots({ git, folder: join(folder.path, 'before'), stateDir }, root);
    return { snapshots, before: await snapshots.take(), note: undefined, gitFolders };
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    const note = `This attempt will have no diff: ${error.message}`;
    return { snapshots: undefined, before: '', note, gitFolders };
  }
}

async function openInPlace(
  options: WorkspaceOptions,
  source: Repository | PlainFolder,
  path: string,
  lock: AsyncDisposable,
): Promise<Workspace> {
  try {
    return {
      ...(await (source.kind === 'git' ? snapshotRepository(options, source) : snapshotPlainFolder(options, source))),
      path,
      repository: source.root,
      keepChanges: () => Promise.resolve(undefined),
      keepFolder: () => path,
      [Symbol.asyncDispose]: () => lock[Symbol.asyncDispose](),
    };
  } catch (error) {
    await lock[Symbol.asyncDispose]();
    throw error;
  }
}

export interface OpenOptions extends WorkspaceOptions {
  readonly clones: ClonePolicy;
  readonly signal: AbortSignal;
  readonly onWait: () => Promise<void>;
}

async function openCloned(url: string, options: OpenOptions): Promise<Workspace | undefined> {
  const clone = await openClone(url, { ...options, policy: options.clones });
  if (clone === undefined) return undefined;
  const found = await inspectFolder(options.git, clone.root);
  if (found.kind === 'git') return openWorktree(options, found, clone.origin);
  throw new WorkspaceError('workspace_unusable', `The clone ${clone.root} is damaged. Remove it and retry the task.`);
}

/**
 * Opens the workspace of an attempt. In place, it waits until no other attempt is in the folder.
 * @param onWait called once when it has to wait
 * @returns undefined when `signal` aborted while it waited
 * @throws WorkspaceError
 */
export async function openWorkspace(binding: WorkspaceBinding, options: OpenOptions): Promise<Workspace | undefined> {
  const { git, stateDir } = options;
  if (isGitUrl(binding.path)) return openCloned(binding.path, options);
  const found = await inspectFolder(git, binding.path);
  if (binding.mode === 'worktree') {
    if (found.kind === 'git') return openWorktree(options, found);
    const hint = 'Make it a repository (git init), or bind it with the mode in_place.';
    throw new WorkspaceError('workspace_unusable', `${binding.path} is not a git repository. ${hint}`);
  }
  // Locks the repository, so that attempts in two folders of one repository do not mix either.
  const lock = await lockFolder(found.root, { stateDir, signal: options.signal, onWait: options.onWait });
  if (lock === undefined) return undefined;
  const path = found.kind === 'git' ? join(found.root, found.prefix) : found.root;
  return openInPlace(options, found, path, lock);
}
