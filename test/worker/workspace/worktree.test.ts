// A run in a worktree: sees the uncommitted state, leaves its changes on a branch and nothing else.
import { chmod, mkdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WorkspaceBinding } from '../../../src/worker/workspace/workspace.ts';
import { dirtyRepository, everyChange, expectedFiles, withoutIgnored } from '../../support/worker/dirty-repository.ts';
import {
  applyTo,
  artifactOf,
  copyRepository,
  diffOf,
  readFiles,
  openRunFixture,
  shellPrompt,
  type RunFixture,
} from '../../support/worker/run-fixture.ts';

const id = '01890000-0000-7000-8000-000000000001';

function inWorktree(fixture: RunFixture, path = fixture.repo): { binding: WorkspaceBinding } {
  return { binding: { codebaseId: 'c', path, mode: 'worktree' } };
}

/** The state of a repository that its user would notice. */
async function userState(fixture: RunFixture): Promise<unknown> {
  const index = await stat(join(fixture.repo, '.git/index'));
  return {
    head: await fixture.git('rev-parse', 'HEAD'),
    refs: await fixture.git('for-each-ref', 'refs/heads/main', 'refs/tags', 'refs/stash'),
    status: await fixture.git('--no-optional-locks', 'status', '--porcelain', '--untracked-files=all'),
    index: [index.mtimeMs, index.ino, index.size],
    stash: await fixture.git('stash', 'list'),
  };
}

describe('a run in a worktree', () => {
  test('sees the uncommitted state, serves its changes alone and leaves them on a branch', async () => {
    await using fixture = await openRunFixture();
    await dirtyRepository(fixture);
    const before = await copyRepository(fixture);
    const state = await userState(fixture);
    const files = await readFiles(fixture.repo);

    const outcome = await fixture.execute({ prompt: everyChange, title: 'Change\neverything' }, inWorktree(fixture));

    expect(outcome).toMatchObject({ status: 'completed', result: 'all done' });
    expect(artifactOf(outcome, 'files')?.data).toEqual(expectedFiles);
    await applyTo(fixture, before, diffOf(outcome));
    const branch = `switchyard/${id}`;
    expect(await fixture.git('log', '--format=%s', `main..${branch}`)).toBe(
      `Change everything\nUncommitted state before Switchyard's task ${id}`,
    );
    expect(await fixture.git('diff', '--binary', '--full-index', '-M', `${branch}^`, branch)).toBe(
      diffOf(outcome).toString().trimEnd(),
    );
    expect(await userState(fixture)).toEqual(state);
    expect(await readFiles(fixture.repo)).toEqual(files);
    expect(await fixture.git('worktree', 'list')).not.toContain('state');
    expect(fixture.events.at(-1)).toMatchObject({ type: 'progress', message: expect.stringContaining(branch) });
    await fixture.git('stash', '--quiet', '--include-untracked');
    await fixture.git('checkout', '--quiet', branch);
    expect(await withoutIgnored(fixture.repo)).toEqual(await withoutIgnored(before));
  });

  test('shows the agent what git shows the user', async () => {
    await using fixture = await openRunFixture();
    await dirtyRepository(fixture);
    const outcome = await fixture.execute(
      { prompt: shellPrompt('git status --porcelain; git log --format=%s') },
      inWorktree(fixture),
    );
    expect(outcome.result?.split('\n')).toEqual([' M kept.txt', '?? staged.txt', '?? untracked.txt', 'first']);
    expect(await fixture.git('branch', '--list', 'switchyard/*')).toBe('');
  });

  test('leaves the commits that the agent made, and works in its folder', async () => {
    await using fixture = await openRunFixture();
    await fixture.write('package/a.txt', 'a\n');
    await fixture.git('add', '.');
    await fixture.git('commit', '--quiet', '-m', 'first');
    const block = 'pwd; echo b > a.txt; git add -A; git -c user.name=a -c user.email=a@b commit --quiet -m own';
    const outcome = await fixture.execute(
      { prompt: shellPrompt(block) },
      inWorktree(fixture, join(fixture.repo, 'package')),
    );
    expect(outcome.result).toMatch(/\/work\/repo\/package$/);
    expect(await fixture.git('log', '--format=%s', `switchyard/${id}`)).toBe('own\nfirst');
    expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: 'package/a.txt' }]);
  });

  test('works before the first commit', async () => {
    await using fixture = await openRunFixture();
    await fixture.write('a.txt', 'a\n');
    const outcome = await fixture.execute({ prompt: shellPrompt('cat a.txt; echo b > a.txt') }, inWorktree(fixture));
    expect(outcome).toMatchObject({ status: 'completed', result: 'a' });
    expect(await fixture.git('show', `switchyard/${id}:a.txt`)).toBe('b');
  });

  test('goes on from its own branch when its question was answered', async () => {
    await using fixture = await openRunFixture();
    await dirtyRepository(fixture);
    const questionPrompt = shellPrompt('echo half > answer.txt; echo "SWITCHYARD_NEEDS_INPUT: which colour?"');
    const questionOutcome = await fixture.execute({ prompt: questionPrompt }, inWorktree(fixture));
    expect(questionOutcome).toMatchObject({ status: 'needs_input', message: { text: 'which colour?' } });
    const answered = await fixture.execute({ prompt: shellPrompt('echo whole >> answer.txt') }, inWorktree(fixture));
    expect(artifactOf(answered, 'files')?.data).toEqual([
      { path: 'answer.txt', status: 'added', added: 2, removed: 0 },
    ]);
    expect(await fixture.git('log', '--format=%s', `main..switchyard/${id}`)).toBe(
      `A task\nUncommitted state before Switchyard's task ${id}`,
    );
    const again = await fixture.execute({ prompt: shellPrompt('echo other > answer.txt') }, inWorktree(fixture));
    expect(again.status).toBe('completed');
    expect(await fixture.git('show', `switchyard/${id}:answer.txt`)).toBe('half\nwhole');
    expect(await fixture.git('show', `switchyard/${id}-2:answer.txt`)).toBe('other');
  });

  test('runs beside others of the same repository', async () => {
    await using fixture = await openRunFixture();
    await dirtyRepository(fixture);
    const outcomes = await Promise.all(
      [1, 2, 3].map((n) =>
        fixture.execute(
          { id: `01890000-0000-7000-8000-00000000000${n}`, prompt: shellPrompt(`echo ${n} > ${n}.txt; sleep 0.1`) },
          inWorktree(fixture),
        ),
      ),
    );
    for (const [at, outcome] of outcomes.entries()) {
      expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: `${at + 1}.txt` }]);
    }
  });

  test('runs no hook of the repository and leaves nothing behind when it fails', async () => {
    await using fixture = await openRunFixture();
    await dirtyRepository(fixture);
    await mkdir(join(fixture.repo, '.git/hooks'), { recursive: true });
    for (const hook of ['post-checkout', 'pre-commit', 'reference-transaction', 'post-index-change']) {
      await fixture.write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch ${fixture.root}/hooked\n`);
      await chmod(join(fixture.repo, '.git/hooks', hook), 0o755);
    }
    const outcome = await fixture.execute({ prompt: shellPrompt('rm -rf ./* .git; exit 1') }, inWorktree(fixture));
    expect(outcome).toMatchObject({ status: 'failed' });
    expect(outcome.artifacts?.map(({ name }) => name)).toEqual(['diff', 'files', 'branch']);
    await expect(stat(join(fixture.root, 'hooked'))).rejects.toThrow('ENOENT');
    expect(await readFiles(join(fixture.stateDir, 'runs'))).toEqual({});
    expect((await fixture.git('worktree', 'list')).split('\n')).toHaveLength(1);
  });

  test('says that submodules are empty in it', async () => {
    await using fixture = await openRunFixture();
    await using other = await openRunFixture();
    await other.git('commit', '--quiet', '--allow-empty', '-m', 'theirs');
    await symlink('a', join(fixture.repo, 'link'));
    await fixture.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.repo, 'sub');
    await fixture.git('commit', '--quiet', '-m', 'with a submodule');
    const outcome = await fixture.execute({ prompt: shellPrompt('echo x > x.txt') }, inWorktree(fixture));
    expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: 'x.txt' }]);
    expect(fixture.events).toContainEqual({ type: 'progress', message: expect.stringContaining('Submodules') });
  });
});
