// Answers a registration by path: looks for the folder on this machine and binds it, or declines. choices §3.
import { realpath, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, normalize, sep } from 'node:path';
import { z } from 'zod';
import { isGitUrl } from '../lib/git-url.ts';
import { codebaseId, workspaceMode } from '../contracts/codebase.ts';
import type { Release, WorkerTask } from '../contracts/worker.ts';
import type { Codebases } from './codebases.ts';
import type { ServiceClient } from './client.ts';
import { describeError, ServiceRefusal } from './service-error.ts';
import { naturalMode } from './workspace-mode.ts';
import { allowedUrl, askHead, type ClonePolicy } from './workspace/clone.ts';
import { WorkspaceError } from './workspace/workspace-error.ts';
import type { Git } from './workspace/git.ts';

/** The codebase id of tasks that ask any worker to look for a path. document 1 §3.4. */
export const pendingCodebase = '__pending__';

const asked = z.object({
  registration: z.object({
    name: z.string(),
    path: z.string(),
    description: z.string().default(''),
    codebase_id: codebaseId.optional(),
    workspace_mode: workspaceMode.optional(),
  }),
});

export interface BindOptions {
  client: Pick<ServiceClient, 'bindCodebase'>;
  clones: ClonePolicy;
  codebases: Codebases;
  git: Git;
  workerId: string;
  roots: readonly string[];
  signal: AbortSignal;
}

/** Who registers an address waits for the answer: that it can be reached is asked, and no more. */
const askMs = 30_000;

/** The folder or address in the form in which it is bound, or why it is not ours to bind. */
async function look(path: string, options: BindOptions): Promise<{ path: string } | { problem: string }> {
  if (isGitUrl(path)) return lookAtRemote(path, options);
  if (await isOurs(path, options.roots)) return { path: normalize(path) };
  return { problem: `${path} is not a folder that this worker offers` };
}

async function lookAtRemote(
  address: string,
  { clones, git, signal }: BindOptions,
): Promise<{ path: string } | { problem: string }> {
  try {
    const url = allowedUrl(address, clones);
    await askHead({ git, url, cwd: tmpdir(), timeoutMs: Math.min(askMs, clones.timeoutMs), signal });
    return { path: url };
  } catch (error) {
    if (error instanceof WorkspaceError) return { problem: error.message };
    throw error;
  }
}

/**
 * The outcome of a `__pending__` task: completed with `{"codebase_id": …}` as its result, or `pending` with
 * `path_not_found`, so that the next worker is asked.
 * @param options.roots the only folders below which a path may lie; none: anywhere
 */
export async function bindPath(task: WorkerTask, options: BindOptions): Promise<Omit<Release, 'lease_token'>> {
  const parsed = asked.safeParse(task.metadata);
  if (!parsed.success) {
    return { status: 'failed', error: { code: 'bad_registration', message: 'the task does not say what to register' } };
  }
  const { registration } = parsed.data;
  const found = await look(registration.path, options);
  if ('problem' in found) return { status: 'pending', error: { code: 'path_not_found', message: found.problem } };
  try {
    const { path } = found;
    const mode = registration.workspace_mode ?? (await naturalMode(options.git, path));
    const body = { ...registration, path, worker_id: options.workerId, workspace_mode: mode };
    const codebase = await options.client.bindCodebase(body, options.signal);
    options.codebases.learn(options.workerId, [codebase]);
    return { status: 'completed', result: JSON.stringify({ codebase_id: codebase.codebase_id }) };
  } catch (error) {
    const message = describeError(error);
    // Binding the same path twice gives the same codebase, so whoever gets the task next may simply try again.
    if (!(error instanceof ServiceRefusal)) return { status: 'pending', error: { code: 'bind_failed', message } };
    return { status: 'failed', error: { code: error.code, message } };
  }
}

async function isOurs(path: string, roots: readonly string[]): Promise<boolean> {
  if (!isAbsolute(path)) return false;
  const real = await realFolder(path);
  if (real === undefined) return false;
  if (roots.length === 0) return true;
  // Compared as they really lie: a link below a root may point out of it.
  const realRoots = await Promise.all(roots.map(realFolder));
  return realRoots.some((root) => root !== undefined && (real === root || real.startsWith(withSlash(root))));
}

async function realFolder(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    // Missing, not readable, a loop of links: for the one who asks it is all the same.
    return undefined;
  }
}

function withSlash(root: string): string {
  return root.endsWith(sep) ? root : root + sep;
}
