// How runs work in a folder that nobody gave a mode for: beside each other in worktrees, or in place, one at a time.
import type { CodebaseSetting } from './settings.ts';
import type { Git } from '../workspace/git/git.ts';
import { inspectFolder } from '../workspace/git/repository.ts';
import { WorkspaceError } from '../workspace/git/workspace-error.ts';

export type CodebaseMode = NonNullable<CodebaseSetting['workspace_mode']>;

/** `in_place` for a plain folder, of which git can make no second one; `worktree` for all else. */
export async function findDefaultMode(git: Git, path: string): Promise<CodebaseMode> {
  try {
    return (await inspectFolder(git, path)).kind === 'plain' ? 'in_place' : 'worktree';
  } catch (error) {
    // An address, or missing, bare, or no git here: each run says so, in words for the one who waits for it.
    if (error instanceof WorkspaceError) return 'worktree';
    throw error;
  }
}

/** The codebases with the mode of each settled. */
export function withModes(git: Git, codebases: CodebaseSetting[]): Promise<CodebaseWithMode[]> {
  return Promise.all(
    codebases.map(async (codebase) => ({
      ...codebase,
      workspace_mode: codebase.workspace_mode ?? (await findDefaultMode(git, codebase.path)),
    })),
  );
}
export type CodebaseWithMode = CodebaseSetting & { workspace_mode: CodebaseMode };
