// The default mode of a codebase's runs: concurrent in worktrees, or in place, one at a time.
import type { CodebaseSetting } from './settings.ts';
import type { Git } from '../workspace/git/git.ts';
import { inspectFolder } from '../workspace/git/repository.ts';
import { WorkspaceError } from '../workspace/git/workspace-error.ts';

export type CodebaseMode = NonNullable<CodebaseSetting['workspace_mode']>;

/** `in_place` for a plain folder, of which git cannot create worktrees; `worktree` for all others. */
export async function findDefaultMode(git: Git, path: string): Promise<CodebaseMode> {
  try {
    return (await inspectFolder(git, path)).kind === 'plain' ? 'in_place' : 'worktree';
  } catch (error) {
    // An address, or a missing or bare repository, or no git: each run reports it to its caller.
    if (error instanceof WorkspaceError) return 'worktree';
    throw error;
  }
}

/** Resolves the mode of each codebase. */
export function withModes(git: Git, codebases: CodebaseSetting[]): Promise<CodebaseWithMode[]> {
  return Promise.all(
    codebases.map(async (codebase) => ({
      ...codebase,
      workspace_mode: codebase.workspace_mode ?? (await findDefaultMode(git, codebase.path)),
    })),
  );
}
export type CodebaseWithMode = CodebaseSetting & { workspace_mode: CodebaseMode };
