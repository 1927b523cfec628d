// A git folder of the worker for one repository: configuration, attributes and hooks are ours, objects and refs are the
// repository's. Git on this folder reads no setting that an agent could write.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readPlain, toGitEnvironment, toIdentity, userSettings } from './git-settings.ts';
import type { Git } from './git.ts';
import type { GitFolder } from './find-git.ts';
import { copySharedIndexes } from './index-copy.ts';
import { checkLinks } from './known-links.ts';
import { WorkspaceError } from './workspace-error.ts';

export interface IsolatedGit {
  /** Runs on our git folder, with the repository's working tree. */
  readonly git: Git;
  /** Folders outside the repository with objects of it, as they were when the worker first saw it. */
  readonly elsewhere: readonly string[];
}

interface IsolatedGitOptions {
  /** The new git folder is created here. */
  readonly folder: string;
  readonly stateDir: string;
  /** Links the repository's working trees, so that git keeps objects that only they refer to. */
  readonly worktrees?: boolean;
  /**
   * True: nothing of the repository's `info` folder and no setting of a configuration but the identity takes part, so
   * that trees are the same on every machine.
   */
  readonly plain?: boolean;
}

/** The same git, bound to a git folder. */
function boundTo(git: Git, gitDir: string, env: Record<string, string>): Git {
  const run: Git['run'] = (args, call) => {
    const repositoryEnv = call.configuration === 'user' ? {} : env;
    return git.run(args, { ...call, env: { ...repositoryEnv, GIT_DIR: gitDir, ...call.env } });
  };
  return { run, line: async (args, call) => (await run(args, call)).stdout.toString().trim() };
}

async function makeFolder(folder: string, head: string, objectFormat: string): Promise<void> {
  await mkdir(join(folder, 'info'), { recursive: true });
  await writeFile(join(folder, 'HEAD'), head);
  const extension = objectFormat === 'sha1' ? '' : `[extensions]\n\tobjectFormat = ${objectFormat}\n`;
  const version = objectFormat === 'sha1' ? 0 : 1;
  await writeFile(
    join(folder, 'config'),
    `[core]\n\trepositoryFormatVersion = ${version}\n\tbare = false\n${extension}`,
  );
}

const headText = /^(?:ref: refs\/[^\p{Cc} ~^:?*[\\]{1,1000}|[0-9a-f]{40}|[0-9a-f]{64})\n?$/u;

function damaged(gitDir: string, what: string): WorkspaceError {
  return new WorkspaceError('workspace_unusable', `The repository ${gitDir} is damaged: ${what}.`);
}

/** Copies a regular file; links, pipes, devices and missing files are skipped. */
async function copyPlain(from: string, to: string): Promise<void> {
  const text = await readPlain(from);
  if (text !== undefined) await writeFile(to, text);
}

/**
 * Opens a repository through a git folder of the worker.
 * @throws WorkspaceError when the repository is damaged, of an unsupported kind, or has new links to the outside
 */
export async function openIsolatedGit(
  git: Git,
  { root, gitDir, commonDir, settings }: GitFolder,
  { folder, stateDir, worktrees = false, plain = false }: IsolatedGitOptions,
): Promise<IsolatedGit> {
  const head = await readPlain(join(gitDir, 'HEAD'));
  if (head === undefined || !headText.test(head)) throw damaged(gitDir, 'its HEAD is neither a commit nor a branch');
  const refStorage = settings.get('extensions.refstorage') ?? 'files';
  if (refStorage !== 'files') throw damaged(gitDir, `its refs are stored as ${refStorage}, which is not supported`);
  const objectFormat = settings.get('extensions.objectformat') ?? 'sha1';
  if (!/^sha(?:1|256)$/.test(objectFormat)) throw damaged(gitDir, `its object format ${objectFormat} is not supported`);
  const elsewhere = await checkLinks({ root, gitDir, commonDir }, stateDir);
  await makeFolder(folder, head, objectFormat);
  for (const name of ['objects', 'refs', 'packed-refs', 'shallow', ...(worktrees ? ['worktrees'] : [])]) {
    await symlink(join(commonDir, name), join(folder, name));
  }
  if (!plain) {
    await copyPlain(join(commonDir, 'info/exclude'), join(folder, 'info/exclude'));
    await copyPlain(join(gitDir, 'info/sparse-checkout'), join(folder, 'info/sparse-checkout'));
    await copySharedIndexes(gitDir, folder);
  }
  const user = await userSettings(git, gitDir);
  const env = { ...(plain ? toIdentity(settings, user) : toGitEnvironment(settings, user)), GIT_WORK_TREE: root };
  return { git: boundTo(git, folder, env), elsewhere };
}

/** A repository whose objects a new git folder borrows. */
export interface BorrowedObjects {
  readonly source: Pick<GitFolder, 'commonDir' | 'settings'>;
  /** The commit that is checked out. */
  readonly commit: string;
}

/**
 * Creates a git folder of its own over the objects of a repository: commits, branches and settings that an agent makes
 * there stay there.
 */
export async function borrowObjects(folder: string, { source, commit }: BorrowedObjects): Promise<void> {
  const { commonDir, settings } = source;
  await makeFolder(folder, `${commit}\n`, settings.get('extensions.objectformat') ?? 'sha1');
  await mkdir(join(folder, 'objects/info'), { recursive: true });
  await mkdir(join(folder, 'refs/heads'), { recursive: true });
  // In quotes a path may hold any character.
  await writeFile(join(folder, 'objects/info/alternates'), `${JSON.stringify(join(commonDir, 'objects'))}\n`);
  await copyPlain(join(commonDir, 'shallow'), join(folder, 'shallow'));
}

/** Creates the git folder of an empty repository; `branch` is the one of its first commit. */
export async function makeGitFolder(folder: string, branch: string): Promise<void> {
  await makeFolder(folder, `ref: ${branch}\n`, 'sha1');
  for (const name of ['objects', 'refs']) await mkdir(join(folder, name));
}

/** An empty git folder, for a folder that is not a repository. */
export async function openEmptyGit(git: Git, root: string, folder: string): Promise<Git> {
  await makeGitFolder(folder, 'refs/heads/none');
  const env = { ...toGitEnvironment(new Map(), await userSettings(git, folder)), GIT_WORK_TREE: root };
  return boundTo(git, folder, env);
}
