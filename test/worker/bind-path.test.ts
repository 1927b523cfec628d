// Registration by path: what this machine has and offers, and nothing else. choices §3.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CodebaseWire } from '../../src/contracts/codebase.ts';
import { bindPath } from '../../src/worker/bind-path.ts';
import type { ServiceClient } from '../../src/worker/client.ts';
import { createCodebases } from '../../src/worker/codebases.ts';
import type { Outcome } from '../../src/worker/execute.ts';
import { ServiceRefusal, ServiceUnreachable } from '../../src/worker/service-error.ts';
import type { ClonePolicy } from '../../src/worker/workspace/clone.ts';
import { createGit } from '../../src/worker/workspace/git.ts';
import { aTask } from './support/given.ts';
import { repository, temporaryFolder } from './support/local-worker.ts';
import type { Folder } from './support/local-worker.ts';

let folder: Folder;
beforeAll(async () => {
  folder = await temporaryFolder();
  await mkdir(join(folder.path, 'offered', 'plain'), { recursive: true });
  await mkdir(join(folder.path, 'offered-not'));
  await repository(join(folder.path, 'offered', 'repo'));
  await writeFile(join(folder.path, 'offered', 'file'), '');
  await symlink(join(folder.path, 'offered-not'), join(folder.path, 'offered', 'link-out'));
  await symlink(join(folder.path, 'offered', 'plain'), join(folder.path, 'link-in'));
});
afterAll(() => folder[Symbol.asyncDispose]());

const workerId = aTask().id;
const codebaseId = aTask().id;

function taken(body: Parameters<ServiceClient['bindCodebase']>[0]): CodebaseWire {
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

async function ask(
  path: string,
  roots: string[] = [],
  bind: typeof taken | Error = taken,
  clones: ClonePolicy = { from: [], timeoutMs: 60_000, push: false },
) {
  const codebases = createCodebases([]);
  const task = aTask({ codebase_id: '__pending__', metadata: { registration: { name: 'n', path, description: '' } } });
  const outcome: Outcome = await bindPath(task, {
    client: { bindCodebase: async (body) => (bind instanceof Error ? Promise.reject(bind) : bind(body)) },
    codebases,
    git: createGit({ env: { PATH: process.env['PATH'] }, deadlineMs: 60_000 }),
    clones,
    workerId,
    roots,
    signal: new AbortController().signal,
  });
  return { outcome, place: codebases.find(codebaseId) };
}

const declined = { status: 'pending', error: { code: 'path_not_found' } };

describe('a worker that is asked for a path', () => {
  it('binds a folder it has, and knows it from then on', async () => {
    const path = join(folder.path, 'offered', 'plain');
    const { outcome, place } = await ask(path);
    expect(outcome).toEqual({ status: 'completed', result: JSON.stringify({ codebase_id: codebaseId }) });
    expect(place).toEqual({ codebaseId, path, mode: 'in_place' });
  });

  it('works in worktrees where the folder is a repository', async () => {
    const { place } = await ask(join(folder.path, 'offered', 'repo'));
    expect(place?.mode).toBe('worktree');
  });

  it.each(['nowhere', 'offered/file'])('declines %s', async (path) => {
    expect((await ask(join(folder.path, path))).outcome).toMatchObject(declined);
  });

  it('declines a path that does not begin at the root', async () => {
    expect((await ask('.')).outcome).toMatchObject(declined);
  });

  it.each([
    ['offered/plain', true],
    ['offered', true],
    ['link-in', true],
    ['offered-not', false],
    ['offered/../offered-not', false],
    ['offered/link-out', false],
    ['.', false],
  ])('offers %s below the roots of the operator: %s', async (path, offered) => {
    const { outcome } = await ask(`${folder.path}/${path}`, [join(folder.path, 'offered')]);
    expect(outcome.status).toBe(offered ? 'completed' : 'pending');
  });

  it('binds an address that it may clone and can reach, and declines every other', async () => {
    const url = `file://${join(folder.path, 'offered', 'repo')}`;
    const clones = { from: [`file://${folder.path}/`], timeoutMs: 60_000, push: false };
    const { outcome, place } = await ask(url, [join(folder.path, 'offered-not')], taken, clones);
    expect(outcome).toMatchObject({ status: 'completed' });
    expect(place).toEqual({ codebaseId, path: url, mode: 'worktree' });
    expect((await ask(url)).outcome).toMatchObject({
      ...declined,
      error: { code: 'path_not_found', message: expect.stringContaining('clone_from') },
    });
    expect((await ask(`${url}-not`, [], taken, clones)).outcome).toMatchObject(declined);
    expect((await ask('https://u:secret@host/x', [], taken, clones)).outcome).toMatchObject(declined);
  });

  it('fails with the refusal of the service, and tries again later when it is out of reach', async () => {
    const path = join(folder.path, 'offered');
    const refusal = new ServiceRefusal('POST', { status: 403, code: 'forbidden', detail: 'no' });
    expect((await ask(path, [], refusal)).outcome).toMatchObject({ status: 'failed', error: { code: 'forbidden' } });
    const cut = new ServiceUnreachable('POST', 'cut');
    expect((await ask(path, [], cut)).outcome).toMatchObject({ status: 'pending', error: { code: 'bind_failed' } });
  });
});
