// The workspace of one attempt, and the changes in it.
import type { WorkerTask } from '../../contracts/worker.ts';
import type { Git } from './git/git.ts';
import type { AttemptFolder } from './attempt-folder.ts';
import type { Snapshots } from './snapshot.ts';

/** The codebase of an attempt, and how to work on it. */
export interface WorkspaceBinding {
  readonly codebaseId: string;
  /** The bound folder on this machine: a repository, a folder in one, or a plain folder; or a repository's address. */
  readonly path: string;
  /**
   * `worktree`: a copy of the attempt's own; `in_place`: the folder itself, one attempt at a time. An address: always a
   * copy.
   */
  readonly mode: 'worktree' | 'in_place';
}

export interface WorkspaceOptions {
  readonly git: Git;
  readonly task: Pick<WorkerTask, 'id' | 'title' | 'metadata'>;
  readonly folder: AttemptFolder;
  readonly stateDir: string;
}

/** The branch with an attempt's changes. */
export interface KeptBranch {
  readonly branch: string;
  readonly commit: string;
  /** The commit to which the changes are compared. */
  readonly base: string;
  /** The repository that has the branch: a folder on the worker's machine, or an address. */
  readonly repository: string;
  /** A command that takes the changes over. */
  readonly merge: string;
  /** A remark for readers of the task. */
  readonly note?: string;
}

export interface Workspace extends AsyncDisposable {
  /** The working folder of the agent. */
  readonly path: string;
  /** The folder that must exist to keep the changes: the repository's top folder, or the plain folder. */
  readonly repository: string;
  /** Folders outside `path` that the agent's git reads, as the worker knew them before the agent began. */
  readonly gitFolders: readonly string[];
  /** Undefined when no snapshot can be taken; `note` then gives the reason. */
  readonly snapshots: Snapshots | undefined;
  /** The tree to which changes are compared. */
  readonly before: string;
  /** A remark about the workspace for readers of the task. */
  readonly note: string | undefined;
  /**
   * Keeps the changes of a finished attempt where they would vanish with the workspace.
   * @param tree the snapshot after the attempt
   * @returns their branch, or undefined when they are in the folder itself
   */
  keepChanges(tree: string, status: string): Promise<KeptBranch | undefined>;
  /** Keeps the workspace that would be removed otherwise; for changes that could not be read. @returns its path */
  keepFolder(): string;
}
