// A repository registered by address through the service: a worker that may clone it binds it, and works on its tasks.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../support/service.ts';
import { command } from '../../support/process/cli-io.ts';
import { localWorker, repository, script, taskIn, workerFolder } from '../../support/worker/local-worker.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

describe('a codebase by address', () => {
  it('is bound by the worker that may clone it, and its tasks leave their branch where it came from', async () => {
    await using folder = await workerFolder();
    const source = await repository(join(folder.path, 'source'));
    const origin = join(folder.path, 'origin.git');
    await promisify(execFile)('git', ['clone', '--quiet', '--bare', source, origin]);
    const url = `file://${origin}`;
    await using _other = await localWorker(service, { worker_name: 'may-not' });
    await using worker = await localWorker(service, {
      worker_name: 'may',
      clone_from: folderUrl(folder.path),
      clone_push: true,
    });
    const flags = ['--url', service.url, '--json'];
    const env = { SWITCHYARD_TOKEN: service.token('editor') };
    const added = await command(['codebase', 'add', url, ...flags], { env });
    expect(added.err).toBe('');
    const { codebase } = JSON.parse(added.out);
    expect(codebase).toMatchObject({
      path: url,
      workspace_mode: 'worktree',
      bindings: [{ worker_id: worker.id, path: url }],
    });

    const task = await service.task({ codebase_id: codebase.codebase_id, prompt: script('echo made > made.txt') });
    expect(await taskIn(service, task.id, 'completed', 'failed')).toMatchObject({ status: 'completed', error: null });
    const { body } = await service.call('GET', `/v1/agent/tasks/${task.id}/artifacts`);
    expect(body.artifacts.map(({ name }: { name: string }) => name).toSorted()).toEqual(['branch', 'diff', 'files']);
    const show = ['--git-dir', origin, 'show', `switchyard/${task.id}:made.txt`];
    expect((await promisify(execFile)('git', show)).stdout).toBe('made\n');
  });
});

function folderUrl(path: string): string {
  return `file://${path}/`;
}
