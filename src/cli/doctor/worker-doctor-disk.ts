// Checks of `worker doctor` for the disk: each codebase's folder, and the worker's own.
import { access, constants, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { isGitUrl } from '../../lib/text/git-url.ts';
import { systemClock } from '../../worker/base/clock.ts';
import { createLog } from '../../worker/base/log.ts';
import { withoutCredentials } from '../../worker/process/environment.ts';
import { describeError } from '../../worker/base/service-error.ts';
import type { CodebaseSetting, WorkerSettings } from '../../worker/settings/settings.ts';
import { Spool } from '../../worker/report/spool.ts';
import { queryRemoteHead } from '../../worker/workspace/clone.ts';
import { createGit, type Git } from '../../worker/workspace/git/git.ts';
import { copyIndex } from '../../worker/workspace/git/index-copy.ts';
import { openIsolatedGit } from '../../worker/workspace/git/isolated-git.ts';
import { findHeadCommit, inspectFolder, type Repository } from '../../worker/workspace/git/repository.ts';
import { WorkspaceError } from '../../worker/workspace/git/workspace-error.ts';
import { fail, ok, warn, type Check } from '../core/doctor-check.ts';
import { makeFolder } from '../../lib/system/make-folder.ts';

const deadlineMs = 20_000;

/** One result per codebase: exists, is a repository, has commits, is clean, is writable. */
export async function checkCodebases(env: NodeJS.ProcessEnv, settings: WorkerSettings): Promise<Check[]> {
  const git = createGit({ env: withoutCredentials({ env, passEnv: settings.agentEnv }), deadlineMs });
  if (settings.codebases.length === 0) {
    return [warn('codebases', 'none', 'Name folders (codebases, --codebase), or register codebases by path.')];
  }
  return Promise.all(
    settings.codebases.map((codebase) =>
      isGitUrl(codebase.path) ? checkRemote(git, codebase) : checkCodebase(git, codebase),
    ),
  );
}

/** Checks that an address to be cloned can be reached and read. */
async function checkRemote(git: Git, { name, path: url }: CodebaseSetting): Promise<Check> {
  const title = `codebase ${name}`;
  try {
    const signal = AbortSignal.timeout(deadlineMs);
    const { branch, commit } = await queryRemoteHead({ git, url, cwd: tmpdir(), timeoutMs: deadlineMs, signal });
    return ok(title, `${url}, ${branch ?? 'HEAD'} at ${commit.slice(0, 10)}: cloned for its first task`);
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return fail(
      title,
      error.message,
      'Check the address, and that git has a credential for it (a helper, an ssh key).',
    );
  }
}

async function checkCodebase(git: Git, { name, path, workspace_mode: mode }: CodebaseSetting): Promise<Check> {
  const title = `codebase ${name}`;
  try {
    const folder = await inspectFolder(git, path);
    if (!(await isWritable(path))) return fail(title, `${path} cannot be written`, 'Give this user write permission.');
    if (folder.kind === 'git') return await checkRepository(git, title, folder, mode ?? 'worktree');
    if (mode !== 'worktree') return ok(title, `${path}, a plain folder: tasks run in it, one at a time`);
    return fail(title, `${path} is no git repository`, 'Make it one (git init), or set workspace_mode in_place.');
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return fail(title, error.message, 'Fix it, or remove the codebase from the settings.');
  }
}

async function checkRepository(git: Git, title: string, repository: Repository, mode: string): Promise<Check> {
  const { prefix, root } = repository;
  const summary = `${join(root, prefix)}, ${mode === 'worktree' ? 'tasks run in worktrees' : 'tasks run in it, one at a time'}`;
  if (!(await isWritable(repository.commonDir))) {
    return fail(
      title,
      `${repository.commonDir} cannot be written`,
      'Give this user write permission: branches are created there.',
    );
  }
  const changed = await countChanges(git, repository);
  if (changed === undefined) {
    return warn(title, `${summary}; no commit yet`, 'Make a first commit, so that branches can be merged.');
  }
  if (changed === 0) return ok(title, `${summary}; clean`);
  return ok(title, `${summary}; uncommitted changes (entries: ${changed}), included in new tasks`);
}

/** @returns undefined before the first commit */
async function countChanges(git: Git, repository: Repository): Promise<number | undefined> {
  const { root, gitDir } = repository;
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-doctor-'));
  try {
    const privateGit = await openIsolatedGit(git, repository, { folder: join(folder, 'git'), stateDir: folder });
    if ((await findHeadCommit(privateGit.git, root)) === undefined) return undefined;
    const index = join(folder, 'index');
    await copyIndex(join(gitDir, 'index'), index);
    const statusArgs = ['status', '--porcelain', '-z', '--ignore-submodules=all'];
    const status = await privateGit.git.run(statusArgs, { cwd: root, env: { GIT_INDEX_FILE: index } });
    return status.stdout.toString().split('\0').length - 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** Checks that the worker's own folder is writable, and counts what waits in it. */
export async function checkState(settings: WorkerSettings): Promise<Check> {
  const { serverUrl, spoolMaxBytes: maxBytes, stateDir } = settings;
  const probe = join(stateDir, `doctor-${randomUUID()}`);
  try {
    await makeFolder(stateDir, 0o700);
    await writeFile(probe, 'x'.repeat(4096), { mode: 0o600 });
    await rm(probe);
    const log = createLog({ level: 'silent', format: 'json' });
    const { dead, waiting } = await new Spool({ stateDir, serverUrl, maxBytes, clock: systemClock, log }).count();
    const found = `${stateDir}; results that wait for the service: ${waiting}, set aside: ${dead}`;
    if (dead === 0) return ok('own folder', found);
    return warn('own folder', found, `Inspect ${join(stateDir, 'spool', 'dead')}, then remove what you do not need.`);
  } catch (error) {
    return fail('own folder', `${stateDir}: ${describeError(error)}`, 'Make it writable, or set data_dir (DATA_DIR).');
  }
}
