// The surroundings of git: no configuration, no variables of git's, no program of the folder it runs in.
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGit } from '../../../../src/worker/workspace/git/git.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-git-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const deadlineMs = 60_000;
const path = process.env['PATH'] ?? '';

async function script(name: string, ...lines: string[]): Promise<string> {
  const file = join(folder, name);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, ['#!/bin/sh', ...lines].join('\n'));
  await chmod(file, 0o755);
  return file;
}

describe('git', () => {
  it('looks for no repository: a call that names none fails, in one too', async () => {
    await promisify(execFile)('git', ['init', '--quiet', folder]);
    const git = createGit({ env: { PATH: path, HOME: folder }, deadlineMs });
    for (const args of [['status'], ['rev-parse', '--git-dir'], ['add', '--all'], ['config', 'user.name']]) {
      const call = git.run(args, { cwd: folder, configuration: args[0] === 'status' ? 'user' : undefined });
      await expect(call, args.join(' ')).rejects.toMatchObject({ code: 'workspace_unusable' });
    }
  });

  it("has the user's configuration and variables of git's only where its options say so", async () => {
    await writeFile(join(folder, '.gitconfig'), '[user]\n\tname = Ada\n');
    await script('bin/git', 'env');
    const env = {
      PATH: `${join(folder, 'bin')}${delimiter}${path}`,
      HOME: folder,
      GIT_SSH_COMMAND: 'x',
      GIT_TRACE: '1',
    };
    const own = await createGit({ env, deadlineMs }).line([], { cwd: folder });
    expect(own).not.toMatch(/GIT_SSH_COMMAND|GIT_TRACE/);
    expect(own).toMatch(/^GIT_CONFIG_GLOBAL=\/dev\/null$/m);
    const users = await createGit({ env, deadlineMs }).line([], { cwd: folder, configuration: 'user' });
    expect(users).toMatch(/^GIT_SSH_COMMAND=x$/m);
    expect(users).not.toContain('GIT_CONFIG_GLOBAL');
  });

  it('is never a program of the folder that it runs in', async () => {
    await script('git', `touch ${join(folder, 'fired')}`);
    const git = createGit({ env: { PATH: `.${delimiter}${delimiter}${path}` }, deadlineMs });
    expect(await git.line(['--version'], { cwd: folder })).toMatch(/^git version/);
    await expect(stat(join(folder, 'fired'))).rejects.toThrow('ENOENT');
  });
});
