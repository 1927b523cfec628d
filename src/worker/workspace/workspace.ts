// The place in which one run works, and what it can say of the run's changes.
import type { WorkerTask } from '../../contracts/worker.ts';
import type { Git } from './git/git.ts';
import type { AttemptFolder } from './attempt-folder.ts';
import type { Snapshots } from './snapshot.ts';

/** Which codebase a run works on, and how. */
export interface WorkspaceBinding {
  codebaseId: string;
  /** The bound folder on this machine: a repository, a folder in one, or a plain folder; or a repository's address. */
  path: string;
  /** `worktree`: a copy of the run's own; `in_place`: the folder itself, one run at a time. An address: always a copy. */
  mode: 'worktree' | 'in_place';
}

export interface WorkspaceOptions {
  git: Git;
  task: Pick<WorkerTask, 'id' | 'title' | 'metadata'>;
  folder: AttemptFolder;
  stateDir: string;
}

/** The branch on which a run's changes are. */
export interface KeptBranch {
  branch: string;
  commit: string;
  /** The commit that the changes are told from. */
  base: string;
  /** The repository that has the branch: a folder on the worker's machine, or an address. */
  repository: string;
  /** A command that takes the changes over. */
  merge: string;
  /** What a reader of the task should know about it. */
  note?: string;
}

export interface Workspace extends AsyncDisposable {
  /** The folder that the agent works in. */
  path: string;
  /** The folder without which nothing can be kept: the repository's top folder, or the plain one. */
  repository: string;
  /** Folders outside of `path` that the agent's git reads, as the worker knew them before the agent began. */
  gitFolders: readonly string[];
  /** Undefined when no snapshot can be taken; `note` then says why. */
  snapshots: Snapshots | undefined;
  /** The tree that changes are told from. */
  before: string;
  /** What a reader of the task should know about the place. */
  note: string | undefined;
  /**
   * Keeps the changes of a run that is over, where they would go with the work place.
   * @param tree the snapshot after the run
   * @returns where they are, or undefined when they are in the folder itself
   */
  keepChanges(tree: string, status: string): Promise<KeptBranch | undefined>;
  /** Keeps the work place as it is, where it would go; for changes that could not be read. @returns its path */
  keepFolder(): string;
}
