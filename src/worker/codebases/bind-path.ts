// Answers a registration by path: checks for the folder on this machine and binds it, or declines. choices-3.
import { tmpdir } from 'node:os';
import { normalize } from 'node:path';
import { z } from 'zod';
import { isGitUrl } from '../../lib/text/git-url.ts';
import { codebaseId, workspaceMode } from '../../contracts/codebase.ts';
import type { Release, WorkerTask } from '../../contracts/worker.ts';
import type { WorkerClient } from '../service/client.ts';
import type { PathRefusal, ServedFolders } from './served-folders.ts';
import { describeError, ServiceRefusal } from '../base/service-error.ts';
import { findDefaultMode } from '../settings/workspace-mode.ts';
import { allowedUrl, queryRemoteHead, type ClonePolicy } from '../workspace/clone.ts';
import { WorkspaceError } from '../workspace/git/workspace-error.ts';
import type { Git } from '../workspace/git/git.ts';

/** The codebase id of tasks that ask any worker to find a path. core-3.4. */
export const pendingCodebase = '__pending__';

const bindRequest = z.object({
  registration: z.object({
    name: z.string(),
    path: z.string(),
    description: z.string().default(''),
    codebase_id: codebaseId.optional(),
    workspace_mode: workspaceMode.optional(),
    named_by: z
      .object({ operator: z.boolean(), worker_ids: z.array(z.string()) })
      .default({ operator: false, worker_ids: [] }),
  }),
});

export interface BindOptions {
  readonly client: Pick<WorkerClient, 'bindCodebase'>;
  readonly clones: ClonePolicy;
  readonly folders: Pick<ServedFolders, 'checkPath'>;
  readonly git: Git;
  readonly workerId: string;
  readonly signal: AbortSignal;
}

/** A caller waits for the registration of an address, so the check only asks whether it can be reached. */
const remoteTimeoutMs = 30_000;

/** The folder or address in the form in which it is bound, or the reason why it is not bound. */
async function checkAddress(
  path: string,
  mayNameAny: boolean,
  options: BindOptions,
): Promise<{ path: string } | { refusal: PathRefusal }> {
  if (isGitUrl(path)) return checkRemote(path, options);
  const refusal = await options.folders.checkPath(path, mayNameAny);
  return refusal === undefined ? { path: normalize(path) } : { refusal };
}

async function checkRemote(
  address: string,
  { clones, git, signal }: BindOptions,
): Promise<{ path: string } | { refusal: PathRefusal }> {
  try {
    const url = allowedUrl(address, clones);
    await queryRemoteHead({ git, url, cwd: tmpdir(), timeoutMs: Math.min(remoteTimeoutMs, clones.timeoutMs), signal });
    return { path: url };
  } catch (error) {
    if (error instanceof WorkspaceError) return { refusal: { code: 'path_not_found', message: error.message } };
    throw error;
  }
}

/**
 * The outcome of a `__pending__` task: completed with `{"codebase_id": …}` as its result, or `pending` with
 * `path_not_found` or `path_not_allowed`, so that the next worker is asked.
 */
export async function bindPath(task: WorkerTask, options: BindOptions): Promise<Omit<Release, 'lease_token'>> {
  const parsed = bindRequest.safeParse(task.metadata);
  if (!parsed.success) {
    return {
      status: 'failed',
      error: { code: 'bad_registration', message: 'the metadata of the task has no valid registration' },
    };
  }
  const { named_by: namedBy, ...registration } = parsed.data.registration;
  const mayNameAny = namedBy.operator || namedBy.worker_ids.includes(options.workerId);
  const found = await checkAddress(registration.path, mayNameAny, options);
  if ('refusal' in found) return { status: 'pending', error: found.refusal };
  try {
    const { path } = found;
    const mode = registration.workspace_mode ?? (await findDefaultMode(options.git, path));
    const body = { ...registration, path, worker_id: options.workerId, workspace_mode: mode };
    const codebase = await options.client.bindCodebase(body, options.signal);
    return { status: 'completed', result: JSON.stringify({ codebase_id: codebase.codebase_id }) };
  } catch (error) {
    const message = describeError(error);
    // Binding the same path twice gives the same codebase, so the next worker may simply try again.
    if (!(error instanceof ServiceRefusal)) return { status: 'pending', error: { code: 'bind_failed', message } };
    return { status: 'failed', error: { code: error.code, message } };
  }
}
