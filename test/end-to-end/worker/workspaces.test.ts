// Work places through the whole service: tasks on one repository at once, and a worker killed -9 in the middle of them.
import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import {
  endLease,
  localWorker,
  outputOf,
  repository,
  script,
  taskIn,
  workerFolder,
  waitFor,
} from '../../support/worker/local-worker.ts';
import { workerProcess } from '../../support/worker/worker-process.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

async function git(cwd: string, ...args: string[]): Promise<string> {
  return (await promisify(execFile)('git', args, { cwd })).stdout.trimEnd();
}

interface Branch {
  branch: string;
  files: number;
}

async function branchOf(taskId: string): Promise<Branch> {
  const { body } = await service.call('GET', `/v1/agent/tasks/${taskId}/artifacts`);
  const found = body.artifacts.find(({ name }: { name: string }) => name === 'branch');
  const { body: fullArtifact } = await service.call('GET', `/v1/agent/tasks/${taskId}/artifacts/${found.artifact_id}`);
  return fullArtifact.artifact.data;
}

describe('tasks on one repository', () => {
  it('run at once and both keep what they made, of the same file too', async () => {
    await using local = await localWorker(service, { slots: 2, worker_name: 'two-slots' });
    await writeFile(join(local.cwd, 'mine.txt'), 'not committed');
    const met = (own: string, other: string): string[] => [
      `touch ../${own}`,
      waitFor(join('..', '..', '..', '*', 'work', other)),
    ];
    const tasks = await Promise.all([
      service.task({ prompt: script(...met('left', 'right'), 'echo left > both.txt', 'echo l > left.txt') }),
      service.task({ prompt: script(...met('right', 'left'), 'echo right > both.txt', 'echo r > right.txt') }),
    ]);
    for (const [at, word] of ['left', 'right'].entries()) {
      const id = tasks[at]?.id ?? '';
      expect(await taskIn(service, id, 'completed', 'failed')).toMatchObject({ status: 'completed', error: null });
      const { branch, files } = await branchOf(id);
      expect([branch, files]).toEqual([`switchyard/${id}`, 2]);
      expect(await git(local.cwd, 'show', `${branch}:both.txt`)).toBe(word);
    }
    expect(await git(local.cwd, 'status', '--porcelain')).toBe('?? mine.txt');
    expect((await git(local.cwd, 'worktree', 'list')).split('\n')).toHaveLength(1);
  });

  it('leave no worktree and no half branch when their worker was killed -9, once it is back', async () => {
    await using folder = await workerFolder();
    const cwd = await repository(join(folder.path, 'work'));
    await writeFile(join(cwd, 'mine.txt'), 'not committed');
    const env = { A2A_WORKER_NAME: 'killed', A2A_WORKER_KILL_GRACE_SECONDS: '1', DATA_DIR: join(folder.path, 'data') };
    const again = join(folder.path, 'again');
    const first = `[ -e ${again} ] || { touch ${again}; echo half > half.txt; echo begun; sleep 300; }`;
    const task = await service.task({ prompt: script(first, 'echo whole > whole.txt') });
    {
      await using killed = workerProcess(service, cwd, env);
      await until('it has begun', async () => (await outputOf(service, task.id)).includes('begun'));
      killed.signal('SIGKILL');
      await killed.ended;
    }
    await endLease(service, task.id);
    expect((await git(cwd, 'worktree', 'list')).split('\n')).toHaveLength(2);
    await using _back = workerProcess(service, cwd, env);
    expect(await taskIn(service, task.id, 'completed', 'failed')).toMatchObject({ status: 'completed', attempt: 2 });
    await until('no worktree', async () => (await git(cwd, 'worktree', 'list')).split('\n').length === 1);
    expect(await readdir(join(folder.path, 'data/workers/killed/runs'))).toEqual([]);
    expect(await git(cwd, 'branch', '--list', 'switchyard/*', '--format=%(refname:short)')).toBe(
      `switchyard/${task.id}`,
    );
    expect(await git(cwd, 'diff', '--name-only', `switchyard/${task.id}^`, `switchyard/${task.id}`)).toBe('whole.txt');
    expect(await git(cwd, 'status', '--porcelain')).toBe('?? mine.txt');
  });
});
