// Finds the git folder of a path by its files, as git does. Git itself is not called, because its answer depends on the
// configuration of that path.
import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isTrue, readPlain, settingsIn, type GitSettings } from './git-settings.ts';
import type { Git } from './git.ts';
import { WorkspaceError } from './workspace-error.ts';

/** A git folder, with links resolved. */
export interface GitFolder {
  /** Top folder of the working tree, with links resolved. */
  readonly root: string;
  /** The folder of this working tree: `HEAD` and the index. */
  readonly gitDir: string;
  /** The folder of all working trees: objects, refs and configuration. Usually the same folder. */
  readonly commonDir: string;
  /** The settings of its configuration, as data. */
  readonly settings: GitSettings;
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function realFolder(path: string): Promise<string | undefined> {
  const real = await realpath(path).catch(() => undefined);
  return real !== undefined && (await isFolder(real)) ? real : undefined;
}

/** @returns the common folder; undefined: not a git folder */
async function findCommonDir(gitDir: string): Promise<string | undefined> {
  const named = (await readPlain(join(gitDir, 'commondir')))?.trimEnd();
  const common = named === undefined ? gitDir : await realFolder(resolve(gitDir, named));
  if (common === undefined || (await lstat(join(gitDir, 'HEAD')).catch(() => undefined)) === undefined)
    return undefined;
  return (await isFolder(join(common, 'objects'))) && (await isFolder(join(common, 'refs'))) ? common : undefined;
}

/**
 * Whether a git folder elsewhere names this working tree as its own. A `.git` file alone proves nothing: anyone who
 * writes in the folder could point it to any repository of the machine.
 */
async function namesBack({ gitDir, commonDir, settings }: Omit<GitFolder, 'root'>, root: string): Promise<boolean> {
  if (gitDir === commonDir) {
    const tree = settings.get('core.worktree');
    return tree !== undefined && (await realFolder(resolve(gitDir, tree))) === root;
  }
  const back = (await readPlain(join(gitDir, 'gitdir')))?.trimEnd() ?? '';
  if (dirname(gitDir) !== join(commonDir, 'worktrees')) return false;
  return (await realFolder(dirname(resolve(gitDir, back)))) === root;
}

async function readSettings(git: Git, gitDir: string, commonDir: string): Promise<GitSettings> {
  const shared = await settingsIn(git, join(commonDir, 'config'));
  if (!isTrue(shared.get('extensions.worktreeconfig'))) return shared;
  return new Map([...shared, ...(await settingsIn(git, join(gitDir, 'config.worktree')))]);
}

/**
 * The git folder that `.git` in a folder is, or names.
 * @param root with links resolved
 */
export async function gitIn(git: Git, root: string): Promise<GitFolder | undefined> {
  const entry = join(root, '.git');
  const found = await lstat(entry).catch(() => undefined);
  if (found === undefined) return undefined;
  const named = /^gitdir: ([^\0\n]+?)\r?\n?$/.exec((await readPlain(entry)) ?? '')?.[1];
  const gitDir = await realFolder(named === undefined ? entry : resolve(root, named));
  const commonDir = gitDir && (await findCommonDir(gitDir));
  if (gitDir === undefined || commonDir === undefined) return undefined;
  const settings = await readSettings(git, gitDir, commonDir);
  const isStandalone = gitDir === entry && commonDir === gitDir;
  if (!isStandalone && !(await namesBack({ gitDir, commonDir, settings }, root))) {
    const hint = 'If it is yours, run "git worktree repair" there, or set core.worktree in that git folder.';
    throw new WorkspaceError('workspace_unusable', `${entry} points to ${gitDir}, which does not point back. ${hint}`);
  }
  if (isStandalone && isTrue(settings.get('core.bare'))) throw bare(root);
  return { root, gitDir, commonDir, settings };
}

function bare(path: string): WorkspaceError {
  const message = `${path} is a bare repository or a repository's own folder. Bind a working tree instead.`;
  return new WorkspaceError('workspace_unusable', message);
}

/**
 * The repository that contains a folder; undefined: none.
 * @param start with links resolved
 * @throws WorkspaceError for a folder inside a git folder or a bare repository, and for a `.git` that points to a
 * repository which does not point back
 */
export async function findGit(git: Git, start: string): Promise<GitFolder | undefined> {
  const { dev } = await stat(start);
  for (let at = start; ; at = dirname(at)) {
    // Like git, it does not search beyond the file system of the folder.
    if (at !== start && (await stat(at)).dev !== dev) return undefined;
    const found = await gitIn(git, at);
    if (found !== undefined) return found;
    if ((await findCommonDir(at)) !== undefined) throw bare(start);
    if (at === dirname(at)) return undefined;
  }
}
