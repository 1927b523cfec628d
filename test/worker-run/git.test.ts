// Git that meets another git: a call that failed because a worktree was just being written is made again.
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGit, type Git } from '../../src/worker/workspace/git.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-git-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A git that fails with this message for its first calls, and counts them all. */
async function failing(message: string, times: number): Promise<{ git: Git; calls: () => Promise<number> }> {
  const count = join(folder, 'count');
  await writeFile(count, '');
  const script = ['#!/bin/sh', `echo x >> ${count}`, `if [ $(wc -l < ${count}) -le ${times} ]; then`];
  await writeFile(join(folder, 'git'), [...script, `echo "${message}" >&2`, 'exit 128', 'fi', 'echo done'].join('\n'));
  await chmod(join(folder, 'git'), 0o755);
  const git = createGit({ env: { PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` }, deadlineMs: 60_000 });
  return { git, calls: async () => (await readFile(count, 'utf8')).split('\n').length - 1 };
}

describe('git', () => {
  it('is called again when another git was writing a worktree', async () => {
    const { git, calls } = await failing('fatal: failed to read .git/worktrees/work2/commondir: Success', 3);
    expect(await git.line(['worktree', 'add', 'x'], { cwd: folder })).toBe('done');
    expect(await calls()).toBe(4);
  });

  it('is not called again for any other failure', async () => {
    const { git, calls } = await failing('fatal: not a git repository', 1);
    await expect(git.line(['status'], { cwd: folder })).rejects.toThrow(/not a git repository/);
    expect(await calls()).toBe(1);
  });

  it('gives up when it never ends', async () => {
    const { git } = await failing('fatal: failed to read .git/worktrees/work2/commondir: Success', 100);
    await expect(git.line(['status'], { cwd: folder })).rejects.toThrow(/failed to read/);
  });
});
