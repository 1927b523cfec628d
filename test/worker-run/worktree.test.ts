// A run in a worktree: sees the uncommitted state, leaves its changes on a branch and nothing else.
import { chmod, mkdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Workplace } from '../../src/worker/workspace/workspace.ts';
import { dirtyRepository, everyChange, expectedFiles, withoutIgnored } from './dirty-repository.ts';
import { applyTo, artifactOf, copyOf, diffOf, filesOf, openScene, shell, type Scene } from './scene.ts';

const id = '01890000-0000-7000-8000-000000000001';

function inWorktree(scene: Scene, path = scene.repo): { workplace: Workplace } {
  return { workplace: { codebaseId: 'c', path, mode: 'worktree' } };
}

/** What a user would notice of his repository. */
async function userState(scene: Scene): Promise<unknown> {
  const index = await stat(join(scene.repo, '.git/index'));
  return {
    head: await scene.git('rev-parse', 'HEAD'),
    refs: await scene.git('for-each-ref', 'refs/heads/main', 'refs/tags', 'refs/stash'),
    status: await scene.git('--no-optional-locks', 'status', '--porcelain', '--untracked-files=all'),
    index: [index.mtimeMs, index.ino, index.size],
    stash: await scene.git('stash', 'list'),
  };
}

describe('a run in a worktree', () => {
  test('sees the uncommitted state, serves its changes alone and leaves them on a branch', async () => {
    await using scene = await openScene();
    await dirtyRepository(scene);
    const before = await copyOf(scene);
    const state = await userState(scene);
    const files = await filesOf(scene.repo);

    const outcome = await scene.execute({ prompt: everyChange, title: 'Change\neverything' }, inWorktree(scene));

    expect(outcome).toMatchObject({ status: 'completed', result: 'all done' });
    expect(artifactOf(outcome, 'files')?.data).toEqual(expectedFiles);
    await applyTo(scene, before, diffOf(outcome));
    const branch = `switchyard/${id}`;
    expect(await scene.git('log', '--format=%s', `main..${branch}`)).toBe(
      `Change everything\nUncommitted state before Switchyard's task ${id}`,
    );
    expect(await scene.git('diff', '--binary', '--full-index', '-M', `${branch}^`, branch)).toBe(
      diffOf(outcome).toString().trimEnd(),
    );
    expect(await userState(scene)).toEqual(state);
    expect(await filesOf(scene.repo)).toEqual(files);
    expect(await scene.git('worktree', 'list')).not.toContain('state');
    expect(scene.events.at(-1)).toMatchObject({ type: 'progress', message: expect.stringContaining(branch) });
    await scene.git('stash', '--quiet', '--include-untracked');
    await scene.git('checkout', '--quiet', branch);
    expect(await withoutIgnored(scene.repo)).toEqual(await withoutIgnored(before));
  });

  test('shows the agent what git shows the user', async () => {
    await using scene = await openScene();
    await dirtyRepository(scene);
    const outcome = await scene.execute(
      { prompt: shell('git status --porcelain; git log --format=%s') },
      inWorktree(scene),
    );
    expect(outcome.result?.split('\n')).toEqual([' M kept.txt', '?? staged.txt', '?? untracked.txt', 'first']);
    expect(await scene.git('branch', '--list', 'switchyard/*')).toBe('');
  });

  test('leaves the commits that the agent made, and works in its folder', async () => {
    await using scene = await openScene();
    await scene.write('package/a.txt', 'a\n');
    await scene.git('add', '.');
    await scene.git('commit', '--quiet', '-m', 'first');
    const block = 'pwd; echo b > a.txt; git add -A; git -c user.name=a -c user.email=a@b commit --quiet -m own';
    const outcome = await scene.execute({ prompt: shell(block) }, inWorktree(scene, join(scene.repo, 'package')));
    expect(outcome.result).toMatch(/\/work\/repo\/package$/);
    expect(await scene.git('log', '--format=%s', `switchyard/${id}`)).toBe('own\nfirst');
    expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: 'package/a.txt' }]);
  });

  test('works before the first commit', async () => {
    await using scene = await openScene();
    await scene.write('a.txt', 'a\n');
    const outcome = await scene.execute({ prompt: shell('cat a.txt; echo b > a.txt') }, inWorktree(scene));
    expect(outcome).toMatchObject({ status: 'completed', result: 'a' });
    expect(await scene.git('show', `switchyard/${id}:a.txt`)).toBe('b');
  });

  test('goes on from its own branch when its question was answered', async () => {
    await using scene = await openScene();
    await dirtyRepository(scene);
    const ask = shell('echo half > answer.txt; echo "SWITCHYARD_NEEDS_INPUT: which colour?"');
    const asked = await scene.execute({ prompt: ask }, inWorktree(scene));
    expect(asked).toMatchObject({ status: 'needs_input', message: { text: 'which colour?' } });
    const answered = await scene.execute({ prompt: shell('echo whole >> answer.txt') }, inWorktree(scene));
    expect(artifactOf(answered, 'files')?.data).toEqual([
      { path: 'answer.txt', status: 'added', added: 2, removed: 0 },
    ]);
    expect(await scene.git('log', '--format=%s', `main..switchyard/${id}`)).toBe(
      `A task\nUncommitted state before Switchyard's task ${id}`,
    );
    const again = await scene.execute({ prompt: shell('echo other > answer.txt') }, inWorktree(scene));
    expect(again.status).toBe('completed');
    expect(await scene.git('show', `switchyard/${id}:answer.txt`)).toBe('half\nwhole');
    expect(await scene.git('show', `switchyard/${id}-2:answer.txt`)).toBe('other');
  });

  test('runs beside others of the same repository', async () => {
    await using scene = await openScene();
    await dirtyRepository(scene);
    const outcomes = await Promise.all(
      [1, 2, 3].map((n) =>
        scene.execute(
          { id: `01890000-0000-7000-8000-00000000000${n}`, prompt: shell(`echo ${n} > ${n}.txt; sleep 0.1`) },
          inWorktree(scene),
        ),
      ),
    );
    for (const [at, outcome] of outcomes.entries()) {
      expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: `${at + 1}.txt` }]);
    }
  });

  test('runs no hook of the repository and leaves nothing behind when it fails', async () => {
    await using scene = await openScene();
    await dirtyRepository(scene);
    await mkdir(join(scene.repo, '.git/hooks'), { recursive: true });
    for (const hook of ['post-checkout', 'pre-commit', 'reference-transaction', 'post-index-change']) {
      await scene.write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch ${scene.root}/hooked\n`);
      await chmod(join(scene.repo, '.git/hooks', hook), 0o755);
    }
    const outcome = await scene.execute({ prompt: shell('rm -rf ./* .git; exit 1') }, inWorktree(scene));
    expect(outcome).toMatchObject({ status: 'failed' });
    expect(outcome.artifacts?.map(({ name }) => name)).toEqual(['diff', 'files', 'branch']);
    await expect(stat(join(scene.root, 'hooked'))).rejects.toThrow('ENOENT');
    expect(await filesOf(join(scene.stateDir, 'runs'))).toEqual({});
    expect((await scene.git('worktree', 'list')).split('\n')).toHaveLength(1);
  });

  test('says that submodules are empty in it', async () => {
    await using scene = await openScene();
    await using other = await openScene();
    await other.git('commit', '--quiet', '--allow-empty', '-m', 'theirs');
    await symlink('a', join(scene.repo, 'link'));
    await scene.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.repo, 'sub');
    await scene.git('commit', '--quiet', '-m', 'with a submodule');
    const outcome = await scene.execute({ prompt: shell('echo x > x.txt') }, inWorktree(scene));
    expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: 'x.txt' }]);
    expect(scene.events).toContainEqual({ type: 'progress', message: expect.stringContaining('Submodules') });
  });
});
