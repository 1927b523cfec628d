// The noun codebase: a folder of code that workers hold, each at its own path.

export type WorkspaceMode = 'worktree' | 'in_place';

export interface CodebaseBinding {
  readonly workerId: string;
  readonly path: string;
}

export interface Codebase {
  /** An id of ours, or `global`: one for each tenant. */
  readonly codebaseId: string;
  readonly name: string;
  readonly path: string;
  readonly description: string;
  /** Set: its tasks go to this worker alone. core-3.4. */
  readonly workerId: string | null;
  readonly workspaceMode: WorkspaceMode;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly bindings: readonly CodebaseBinding[];
}

/** The codebase of which each tenant has one and any worker may hold. */
export const globalCodebaseId = 'global';
/** Tasks that ask workers to look for a path; any worker may claim them. */
export const pendingCodebaseId = '__pending__';
