// A clean working tree of one commit: nothing of the user's uncommitted changes, hooks, filters or `.git/info`. Its git
// folder is its own, so what an agent commits, configures or branches there never reaches the user's repository.
import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { borrowObjects } from '../workspace/git/isolated-git.ts';
import { copyIndex } from '../workspace/git/index-copy.ts';
import { snapshotFiles } from '../workspace/snapshot.ts';
import { copyIgnored } from './copy-ignored.ts';
import type { StepContext } from './step-context.ts';

export interface StepTree extends AsyncDisposable {
  /** Its top folder. */
  readonly path: string;
  /** The commit that was checked out. */
  readonly commit: string;
  /** Folders outside `path` that git reads there. */
  readonly gitFolders: readonly string[];
  /** The environment in which the context's git works on this tree and its own index: for `cwd: path`. */
  readonly env: Record<string, string>;
  /**
   * Stores the present files as a tree of the repository: tracked ones, and untracked ones that no `.gitignore` names.
   * Files that were copied from the user's folder are not in it unless the commit has them.
   * @param leaveOut further paths, kept as they are in the commit
   */
  writeTree(leaveOut?: readonly string[]): Promise<string>;
}

interface StepTreeOptions {
  readonly commit: string;
  /** Ignored files and folders to take over from the user's working tree. */
  readonly copy?: readonly string[];
  /** Distinguishes several trees of one attempt. */
  readonly name?: string;
}

type TreeContext = Pick<StepContext, 'git' | 'repository' | 'elsewhere' | 'folder' | 'stateDir'>;

/**
 * Checks a commit out below the attempt's folder. Submodules are empty folders, files of LFS stay pointers.
 * @throws WorkspaceError
 */
export async function openStepTree(
  { git, repository, elsewhere, folder, stateDir }: TreeContext,
  { commit, copy = [], name = 'tree' }: StepTreeOptions,
): Promise<StepTree> {
  const place = join(folder.path, name);
  const path = join(place, basename(repository.root));
  const index = join(place, 'index');
  await mkdir(path, { recursive: true });
  try {
    const gitDir = join(path, '.git');
    await borrowObjects(gitDir, { source: repository, commit });
    const env = { GIT_INDEX_FILE: index, GIT_WORK_TREE: path };
    await git.run(['read-tree', '--reset', '-u', commit], { cwd: path, env });
    await copyIndex(index, join(gitDir, 'index'));
    const copied = await copyIgnored({ from: repository.root, to: path, paths: copy });
    const { commonDir } = repository;
    return {
      path,
      commit,
      gitFolders: [join(commonDir, 'objects'), ...elsewhere],
      env,
      writeTree: (leaveOut = []) => snapshotFiles({ git, root: path, env, stateDir }, [...copied, ...leaveOut]),
      [Symbol.asyncDispose]: () => removeTree(place),
    };
  } catch (error) {
    await removeTree(place);
    throw error;
  }
}

async function removeTree(place: string): Promise<void> {
  await rm(place, { recursive: true, force: true, maxRetries: 3 });
}
