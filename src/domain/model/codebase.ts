// The noun codebase: a folder of code that workers hold, each at its own path.

export type WorkspaceMode = 'worktree' | 'in_place';

export interface CodebaseBinding {
  readonly workerId: string;
  readonly path: string;
}

export interface Codebase {
  /** An id of this service, or `global`, which each tenant has. */
  readonly codebaseId: string;
  readonly name: string;
  readonly path: string;
  readonly description: string;
  /** Set: only this worker may serve its tasks. core-3.4. */
  readonly workerId: string | null;
  readonly workspaceMode: WorkspaceMode;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly bindings: readonly CodebaseBinding[];
}

/** The codebase that each tenant has and any worker may hold. */
export const globalCodebaseId = 'global';
/** The codebase of tasks that ask workers for a path; any worker may claim them. */
export const pendingCodebaseId = '__pending__';
