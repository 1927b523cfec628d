// Registration by path: what this machine has and offers, and nothing else. choices-3.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CodebaseWire } from '../../../src/contracts/codebase.ts';
import { bindPath } from '../../../src/worker/codebases/bind-path.ts';
import type { WorkerClient } from '../../../src/worker/service/client.ts';
import type { TaskOutcome } from '../../../src/worker/report/task-outcome.ts';
import { createServedFolders } from '../../../src/worker/codebases/served-folders.ts';
import { ServiceRefusal, ServiceUnreachable } from '../../../src/worker/base/service-error.ts';
import type { ClonePolicy } from '../../../src/worker/workspace/clone.ts';
import { createGit } from '../../../src/worker/workspace/git/git.ts';
import { buildWorkerTask } from '../../support/builders/worker-task.ts';
import { repository, workerFolder, type Folder } from '../../support/worker/local-worker.ts';

let folder: Folder;
beforeAll(async () => {
  folder = await workerFolder();
  await mkdir(join(folder.path, 'offered', 'plain'), { recursive: true });
  await mkdir(join(folder.path, 'offered-not'));
  await repository(join(folder.path, 'offered', 'repo'));
  await writeFile(join(folder.path, 'offered', 'file'), '');
  await symlink(join(folder.path, 'offered-not'), join(folder.path, 'offered', 'link-out'));
  await symlink(join(folder.path, 'offered', 'plain'), join(folder.path, 'link-in'));
});
afterAll(() => folder[Symbol.asyncDispose]());

const workerId = buildWorkerTask().id;
const codebaseId = buildWorkerTask().id;

function taken(body: Parameters<WorkerClient['bindCodebase']>[0]): CodebaseWire {
  return {
    codebase_id: codebaseId,
    name: body.name,
    path: body.path,
    description: body.description ?? '',
    worker_id: workerId,
    status: 'active',
    workspace_mode: body.workspace_mode ?? 'worktree',
    created_by: 'agent',
    created_at: '2026-01-02T03:04:05.678Z',
    bindings: [{ worker_id: workerId, path: body.path }],
  };
}

interface BindRequest {
  roots?: string[];
  bind?: typeof taken | Error;
  clones?: ClonePolicy;
  /** The caller that named the path, as the service reports it. */
  namedBy?: { operator: boolean; worker_ids: string[] };
}

async function requestBinding(
  path: string,
  { roots = ['*'], bind = taken, clones = { from: [], timeoutMs: 60_000, push: false }, namedBy }: BindRequest = {},
) {
  const bound: Parameters<typeof taken>[0][] = [];
  const registration = { name: 'n', path, description: '', named_by: namedBy ?? { operator: true, worker_ids: [] } };
  const task = buildWorkerTask({ codebase_id: '__pending__', metadata: { registration } });
  const outcome: TaskOutcome = await bindPath(task, {
    client: {
      bindCodebase: async (body) => {
        bound.push(body);
        return bind instanceof Error ? Promise.reject(bind) : bind(body);
      },
    },
    folders: createServedFolders({ configured: [], roots, closedPaths: [join(folder.path, 'data')] }),
    git: createGit({ env: { PATH: process.env['PATH'] }, deadlineMs: 60_000 }),
    clones,
    workerId,
    signal: new AbortController().signal,
  });
  return { outcome, bound: bound[0] };
}

const declined = (code: string) => ({ status: 'pending', error: { code } });

describe('a worker that is asked for a path', () => {
  it('binds an existing folder, in place if it is not a repository', async () => {
    const path = join(folder.path, 'offered', 'plain');
    const { outcome, bound } = await requestBinding(path);
    expect(outcome).toEqual({ status: 'completed', result: JSON.stringify({ codebase_id: codebaseId }) });
    expect(bound).toEqual({ name: 'n', description: '', path, worker_id: workerId, workspace_mode: 'in_place' });
  });

  it('uses worktrees if the folder is a repository', async () => {
    expect((await requestBinding(join(folder.path, 'offered', 'repo'))).bound?.workspace_mode).toBe('worktree');
  });

  it.each(['nowhere', 'offered/file'])('declines %s', async (path) => {
    expect((await requestBinding(join(folder.path, path))).outcome).toMatchObject(declined('path_not_found'));
  });

  it('declines a relative path', async () => {
    expect((await requestBinding('.')).outcome).toMatchObject(declined('path_not_found'));
  });

  it('declines every path without roots, and names the setting [choices-3.131]', async () => {
    const { outcome } = await requestBinding(join(folder.path, 'offered', 'plain'), { roots: [] });
    expect(outcome).toMatchObject(declined('path_not_allowed'));
    expect(outcome.error?.message).toContain('A2A_WORKER_CODEBASE_ROOTS');
  });

  it.each([
    ['offered/plain', true],
    ['offered', true],
    ['link-in', true],
    ['offered-not', false],
    ['offered/../offered-not', false],
    ['offered/link-out', false],
    ['.', false],
  ])('offers %s below explicit roots to everybody: %s [choices-3.131]', async (path, offered) => {
    const roots = [join(folder.path, 'offered')];
    const { outcome } = await requestBinding(`${folder.path}/${path}`, {
      roots,
      namedBy: { operator: false, worker_ids: [] },
    });
    expect(outcome).toMatchObject(offered ? { status: 'completed' } : declined('path_not_allowed'));
  });

  it('accepts a path only from operators and its own credential if its roots are all folders [choices-3.133]', async () => {
    const path = join(folder.path, 'offered');
    const from = async (namedBy: BindRequest['namedBy']) => (await requestBinding(path, { namedBy })).outcome;
    expect(await from({ operator: false, worker_ids: [buildWorkerTask().id] })).toMatchObject(
      declined('path_not_allowed'),
    );
    expect(await from({ operator: false, worker_ids: [buildWorkerTask().id, workerId] })).toMatchObject({
      status: 'completed',
    });
    expect(await from({ operator: true, worker_ids: [] })).toMatchObject({ status: 'completed' });
  });

  it('binds an allowed and reachable address, and declines every other', async () => {
    const url = `file://${join(folder.path, 'offered', 'repo')}`;
    const clones = { from: [`file://${folder.path}/`], timeoutMs: 60_000, push: false };
    const { outcome, bound } = await requestBinding(url, { roots: [join(folder.path, 'offered-not')], clones });
    expect(outcome).toMatchObject({ status: 'completed' });
    expect(bound).toMatchObject({ path: url, workspace_mode: 'worktree' });
    expect((await requestBinding(url)).outcome).toMatchObject({
      status: 'pending',
      error: { code: 'path_not_found', message: expect.stringContaining('clone_from') },
    });
    expect((await requestBinding(`${url}-not`, { clones })).outcome).toMatchObject(declined('path_not_found'));
    expect((await requestBinding('https://u:secret@host/x', { clones })).outcome).toMatchObject(
      declined('path_not_found'),
    );
  });

  it('fails with the refusal of the service, and releases the task when it is unreachable', async () => {
    const path = join(folder.path, 'offered');
    const bind = new ServiceRefusal('POST', { status: 403, code: 'forbidden', detail: 'no' });
    expect((await requestBinding(path, { bind })).outcome).toMatchObject({
      status: 'failed',
      error: { code: 'forbidden' },
    });
    const cut = new ServiceUnreachable('POST', 'cut');
    expect((await requestBinding(path, { bind: cut })).outcome).toMatchObject(declined('bind_failed'));
  });
});
