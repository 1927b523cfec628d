// The worker's own clones of repositories that are registered by address: made on first use, fetched afterwards.
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isBelow, parseGitUrl, repositoryName } from '../../lib/text/git-url.ts';
import { diskTimeMs } from './disk-time.ts';
import { findGit } from './git/find-git.ts';
import { lockFolder } from './folder-lock.ts';
import type { Git } from './git/git.ts';
import { makeGitFolder, openIsolatedGit } from './git/isolated-git.ts';
import type { AttemptFolder } from './attempt-folder.ts';
import type { CloneOrigin } from './starting-point.ts';
import { findCommit } from './task-branch.ts';
import { WorkspaceError } from './git/workspace-error.ts';
import { sha256 } from '../../lib/digest.ts';

/** The limits that the operator sets. */
export interface ClonePolicy {
  /** Prefixes of addresses that may be cloned; empty: none. */
  readonly from: readonly string[];
  /** Deadline of one transfer. */
  readonly timeoutMs: number;
  /** Whether the branch of a task is pushed to the origin of the clone. */
  readonly push: boolean;
}

export interface CloneOptions {
  readonly git: Git;
  readonly policy: ClonePolicy;
  readonly stateDir: string;
  /** The folder of the attempt that opens the clone. */
  readonly folder: Pick<AttemptFolder, 'path'>;
  readonly signal: AbortSignal;
  /** Called once when another attempt is fetching the same repository. */
  readonly onWait: () => Promise<void>;
}

type CloneLocation = Pick<CloneOptions, 'folder' | 'stateDir'>;

/**
 * Only these transports, whatever a configuration says; a redirect may not lead out of the allowed addresses.
 * Credentials and proxies are the user's to configure, never the clone's.
 */
const remoteEnv = { GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file' };
const remoteSettings = ['http.followRedirects=false', 'http.lowSpeedLimit=100', 'http.lowSpeedTime=60'].flatMap(
  (setting) => ['-c', setting],
);
/** A lock of git older than this belongs to a killed git, because fetches of a clone wait for each other. */
const staleLockMs = 60_000;

/** @throws WorkspaceError `clone_refused` */
export function allowedUrl(text: string, { from }: Pick<ClonePolicy, 'from'>): string {
  const parsed = parseGitUrl(text);
  if ('refused' in parsed) {
    throw new WorkspaceError('clone_refused', `The codebase's address is not usable: ${parsed.refused}.`);
  }
  if (isBelow(parsed.url, from)) return parsed.url;
  const message = `This worker does not clone ${parsed.url}. Its operator can allow addresses with clone_from.`;
  throw new WorkspaceError('clone_refused', message);
}

interface Remote {
  readonly git: Git;
  readonly url: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Runs git against a remote. @throws WorkspaceError `clone_failed` with git's message, or `disk_full` */
export async function remoteGit({ git, url, cwd, timeoutMs, signal }: Remote, args: string[]): Promise<string> {
  try {
    const call = { cwd, env: remoteEnv, configuration: 'user', deadlineMs: timeoutMs, signal } as const;
    return (await git.run([...remoteSettings, ...args], call)).stdout.toString();
  } catch (error) {
    if (!(error instanceof WorkspaceError) || error.code === 'disk_full') throw error;
    const timedOut = error.code === 'workspace_timeout' && !signal.aborted;
    const why = timedOut ? `not finished within ${timeoutMs / 1000} s (clone_timeout_seconds)` : error.message;
    throw new WorkspaceError('clone_failed', `${url} could not be fetched: ${why}`, { cause: error });
  }
}

/**
 * Reads the repository's `HEAD`.
 * @returns the name of its default branch, if it has one, and the commit
 * @throws WorkspaceError `clone_failed` when it cannot be reached, or has no commit
 */
export async function queryRemoteHead(remote: Remote): Promise<{ branch: string | undefined; commit: string }> {
  const answer = await remoteGit(remote, ['ls-remote', '--symref', '--', remote.url, 'HEAD']);
  const branch = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(answer)?.[1];
  const commit = /^([0-9a-f]{40,64})\tHEAD$/m.exec(answer)?.[1];
  if (commit !== undefined) return { branch, commit };
  throw new WorkspaceError('clone_failed', `${remote.url} has no commit yet. Push one, then retry the task.`);
}

const refs = ['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*'];

/** Fetches all branches into the clone. @returns the commit of the default branch */
async function fetchAll(remote: Remote): Promise<string> {
  const { git, cwd, url } = remote;
  const { branch, commit } = await queryRemoteHead(remote);
  const fetch = ['fetch', '--quiet', '--prune', '--no-write-fetch-head', '--no-recurse-submodules', url, ...refs];
  try {
    await remoteGit(remote, fetch);
  } catch (error) {
    if (!(error instanceof WorkspaceError) || !(await removeStaleLock(cwd, error.message))) throw error;
    await remoteGit(remote, fetch);
  }
  const head = branch === undefined ? commit : `refs/remotes/origin/${branch}`;
  const tip = await findCommit({ git, root: cwd }, head);
  if (tip === undefined) throw new WorkspaceError('clone_failed', `${url} did not send the commit of its HEAD.`);
  await git.run(['update-ref', '--no-deref', 'refs/switchyard/head', tip], { cwd });
  return tip;
}

/** Removes the lock of a killed git, which would block every later one. */
async function removeStaleLock(root: string, gitMessage: string): Promise<boolean> {
  const file = /Unable to create '([^']+\.lock)': File exists/.exec(gitMessage)?.[1];
  const folder = file && (await realpath(dirname(file)).catch(() => undefined));
  if (!file || !`${folder}/`.startsWith(`${await realpath(join(root, '.git'))}/`)) return false;
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || (await diskTimeMs(join(root, '.git'))) - found.mtimeMs < staleLockMs) return false;
  await rm(file, { force: true });
  return true;
}

/**
 * A call on the clone through a git folder of the worker: agents work in the clone's worktrees, and could configure it.
 */
async function toCloneRemote(remote: Remote, root: string, location: CloneLocation): Promise<Remote> {
  const found = await findGit(remote.git, await realpath(root));
  if (found === undefined) throw new WorkspaceError('workspace_unusable', `The clone ${root} is damaged.`);
  const folder = join(location.folder.path, `clone-${randomUUID()}`);
  const { git } = await openIsolatedGit(remote.git, found, { folder, stateDir: location.stateDir });
  return { ...remote, git, cwd: root };
}

/** A clone without a working tree: attempts have theirs in worktrees. */
async function makeClone(remote: Remote, root: string, location: CloneLocation): Promise<string> {
  const draft = `${root}.new-${randomUUID()}`;
  const gitDir = join(draft, '.git');
  try {
    await makeGitFolder(gitDir, 'refs/heads/main');
    // For the agents' own git; the worker passes the address with each call.
    const config = ['config', '--file', join(gitDir, 'config')];
    await remote.git.run([...config, 'remote.origin.url', remote.url], { cwd: draft });
    await remote.git.run([...config, 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*'], { cwd: draft });
    const commit = await fetchAll(await toCloneRemote(remote, draft, location));
    await markUsed(draft);
    await rename(draft, root);
    return commit;
  } catch (error) {
    await rm(draft, { recursive: true, force: true, maxRetries: 3 });
    throw error;
  }
}

/** The last fetched commit; undefined when the clone is damaged. */
async function findLastFetched(remote: Remote, root: string, location: CloneLocation): Promise<string | undefined> {
  const here = await toCloneRemote(remote, root, location);
  return findCommit({ git: here.git, root }, 'refs/switchyard/head');
}

/** Fetches an existing clone. If that fails, the last fetched state is used, and the task's log says so. */
async function refresh(
  remote: Remote,
  root: string,
  location: CloneLocation,
): Promise<Pick<CloneOrigin, 'commit' | 'note'>> {
  try {
    const commit = await fetchAll(await toCloneRemote(remote, root, location));
    return { commit, note: `The attempt starts from ${commit.slice(0, 10)} of ${remote.url}.` };
  } catch (error) {
    if (!(error instanceof WorkspaceError) || remote.signal.aborted || error.code === 'disk_full') throw error;
    const commit = await findLastFetched(remote, root, location).catch(() => undefined);
    if (commit !== undefined) {
      return {
        commit,
        note: `${error.message}. The attempt starts from the last fetched commit, ${commit.slice(0, 10)}.`,
      };
    }
    // Damaged. It is moved away, so that an operator can inspect it.
    await rename(root, `${root}.damaged-${randomUUID()}`);
    const fresh = await makeClone(remote, root, location);
    return { commit: fresh, note: `The clone was damaged and has been replaced by a new one of ${remote.url}.` };
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/**
 * The worker's clone of a repository, up to date. Several attempts may use one clone, in worktrees of their own.
 * @returns undefined when `signal` aborted first
 * @throws WorkspaceError `clone_refused`, `clone_failed`, `disk_full`
 */
export async function openClone(
  address: string,
  { git, policy, stateDir, folder: runFolder, signal, onWait }: CloneOptions,
): Promise<{ root: string; origin: CloneOrigin } | undefined> {
  const url = allowedUrl(address, policy);
  const folder = join(clonesFolder(stateDir), sha256(url, 'hex').slice(0, 32));
  const root = join(folder, repositoryName(url));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await using lock = await lockFolder(folder, { stateDir, signal, onWait });
  if (lock === undefined) return undefined;
  const remote = { git, url, cwd: folder, timeoutMs: policy.timeoutMs, signal };
  const location = { folder: runFolder, stateDir };
  const push = policy.push
    ? (by: Git, commit: string, branch: string) => pushBranch({ ...remote, git: by, cwd: root }, commit, branch)
    : undefined;
  if (await isThere(root)) {
    const fetched = await refresh(remote, root, location);
    await markUsed(root);
    return { root, origin: { url, push, ...fetched } };
  }
  const commit = await makeClone(remote, root, location);
  const note = `${url} was cloned; the attempt starts from ${commit.slice(0, 10)}.`;
  return { root, origin: { url, push, commit, note } };
}

/** Pushes only a task's own branch, and does not overwrite commits that others have pushed to it. */
async function pushBranch(remote: Remote, commit: string, branch: string): Promise<void> {
  const ref = `refs/heads/${branch}`;
  const known = await findCommit({ git: remote.git, root: remote.cwd }, `refs/remotes/origin/${branch}`);
  const lease = `--force-with-lease=${ref}:${known ?? ''}`;
  // A signal that ends the attempt must not end the delivery of its changes.
  const calm = { ...remote, signal: new AbortController().signal };
  await remoteGit(calm, [
    'push',
    '--quiet',
    '--no-verify',
    '--no-recurse-submodules',
    lease,
    remote.url,
    `${commit}:${ref}`,
  ]);
}

export function clonesFolder(stateDir: string): string {
  return join(stateDir, 'clones');
}

/** Whether an entry beside a clone is an unfinished clone. */
export function isDraft(name: string): boolean {
  return /\.new-[0-9a-f-]{36}$/.test(name);
}

/** Whether an entry beside a clone is not used any more: damaged, or being removed. */
export function isDiscarded(name: string): boolean {
  return /\.(?:damaged|gone)-[0-9a-f-]{36}$/.test(name);
}

function lastUsedFile(root: string): string {
  return join(root, '.git/switchyard-used');
}

/** Records the time of the last use of the clone. */
export async function markUsed(root: string): Promise<void> {
  await writeFile(lastUsedFile(root), '');
}

/** @returns milliseconds by the disk's clock; undefined: never recorded */
export async function lastUseMs(root: string): Promise<number | undefined> {
  return (await stat(lastUsedFile(root)).catch(() => undefined))?.mtimeMs;
}

/** Removes unfinished clones of a killed worker. Must be called at the start of a worker. */
export async function sweepClones(stateDir: string): Promise<void> {
  const clones = clonesFolder(stateDir);
  if (!(await isThere(clones))) return;
  for (const name of await readdir(clones)) {
    for (const entry of await readdir(join(clones, name))) {
      if (isDraft(entry)) {
        await rm(join(clones, name, entry), { recursive: true, force: true, maxRetries: 3 });
      }
    }
  }
}
