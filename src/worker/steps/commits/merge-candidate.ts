// Merges a story's candidate into a working tree of the run's head. No ref moves.
import { join } from 'node:path';
import type { StepTree } from '../open-step-tree.ts';
import type { StepContext } from '../step-context.ts';

export interface Merged {
  /** Files with conflicts, with markers in the working tree; empty: it merged cleanly. */
  readonly conflicts: readonly string[];
  /** The merged tree; null with conflicts. */
  readonly tree: string | null;
}

/** @throws WorkspaceError when the merge cannot be tried */
export async function mergeCandidate(
  { git, repository }: Pick<StepContext, 'git' | 'repository'>,
  tree: StepTree,
  candidate: string,
): Promise<Merged> {
  const gitDir = join(tree.path, '.git');
  const call = {
    cwd: tree.path,
    env: {
      GIT_DIR: gitDir,
      GIT_WORK_TREE: tree.path,
      GIT_INDEX_FILE: join(gitDir, 'index'),
      GIT_OBJECT_DIRECTORY: join(repository.commonDir, 'objects'),
    },
  };
  const merge = ['merge', '--squash', '--no-stat', '--no-verify-signatures', candidate];
  const { code } = await git.run(merge, { ...call, expect: [0, 1] });
  const { stdout } = await git.run(['diff', '--name-only', '--diff-filter=U', '-z'], call);
  const conflicts = stdout.toString().split('\0').filter(Boolean);
  if (conflicts.length > 0) return { conflicts, tree: null };
  if (code !== 0) await git.run(merge, call);
  return { conflicts, tree: await git.line(['write-tree'], call) };
}
