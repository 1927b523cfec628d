// What the worker's git takes over from a repository and its user as data, and what it refuses to read.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Workplace } from '../../src/worker/workspace/workspace.ts';
import { artifactOf, diffOf, openScene, shell, type Scene } from './scene.ts';

const id = '01890000-0000-7000-8000-000000000001';
const modes = ['worktree', 'in_place'] as const;

function at(path: string, mode: Workplace['mode']): { workplace: Workplace } {
  return { workplace: { codebaseId: 'c', path, mode } };
}

async function committed(scene: Scene, files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) await scene.write(path, content);
  await scene.git('add', '.');
  await scene.git('commit', '--quiet', '-m', 'first');
}

describe.each(modes)('the worker takes over (%s)', (mode) => {
  test("the user's line ends, ignored files and name, those on a condition too", async () => {
    await using scene = await openScene();
    await committed(scene, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const home = join(scene.root, 'home');
    const condition = `[includeIf "gitdir:${scene.repo}/"]\n\tpath = ~/work\n`;
    await writeFile(join(home, '.gitconfig'), `[core]\n\tautocrlf = input\n\texcludesFile = ~/ignored\n${condition}`);
    await writeFile(join(home, 'work'), '[user]\n\tname = Ada\n\temail = ada@example.com\n');
    await writeFile(join(home, 'ignored'), '*.mine\n');
    await scene.write('.git/info/exclude', '*.ours\n');
    const block = String.raw`printf 'b\r\n' > b.txt; echo x > x.mine; echo x > x.ours; echo c > c.txt`;
    const outcome = await scene.execute({ prompt: shell(block) }, at(scene.repo, mode));
    expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: 'c.txt' }]);
    if (mode === 'in_place') return;
    expect(await scene.git('log', '-1', '--format=%an <%ae>', `switchyard/${id}`)).toBe('Ada <ada@example.com>');
  });

  test('a split index and a sparse checkout', async () => {
    await using scene = await openScene();
    await committed(scene, { 'in/a.txt': 'a\n', 'out/b.txt': 'b\n' });
    await scene.git('sparse-checkout', 'set', 'in');
    await scene.git('update-index', '--split-index');
    const outcome = await scene.execute({ prompt: shell('ls; echo b > in/a.txt') }, at(scene.repo, mode));
    expect(outcome).toMatchObject({ status: 'completed', result: 'in' });
    expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: 'in/a.txt', status: 'modified' }]);
  });

  test('a sparse index', async () => {
    await using scene = await openScene();
    await committed(scene, { 'in/a.txt': 'a\n', 'out/deep/b.txt': 'b\n' });
    await scene.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'in');
    const outcome = await scene.execute({ prompt: shell('ls; echo b > a.txt') }, at(join(scene.repo, 'in'), mode));
    expect(outcome).toMatchObject({ status: 'completed', result: 'a.txt' });
    expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: 'in/a.txt', status: 'modified' }]);
  });

  test('objects of another format', async () => {
    await using scene = await openScene({ repository: false });
    await scene.git('init', '--quiet', '--object-format=sha256', '--initial-branch=main');
    await committed(scene, { 'a.txt': 'a\n' });
    const outcome = await scene.execute({ prompt: shell('git log --format=%s; echo b > a.txt') }, at(scene.repo, mode));
    expect(outcome).toMatchObject({ status: 'completed', result: 'first' });
    expect(diffOf(outcome).toString()).toContain('-a\n+b');
  });

  test('a submodule, and a git folder that lies elsewhere and names the place', async () => {
    await using scene = await openScene();
    await using other = await openScene();
    await committed(other, { 'a.txt': 'a\n' });
    await scene.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.repo, 'sub');
    await scene.git('commit', '--quiet', '-m', 'with a submodule');
    const inside = await scene.execute({ prompt: shell('echo b > a.txt') }, at(join(scene.repo, 'sub'), mode));
    expect(artifactOf(inside, 'files')?.data).toMatchObject([{ path: 'a.txt' }]);
    const separate = join(scene.root, 'separate');
    await scene.git('clone', '--quiet', `--separate-git-dir=${separate}.git`, other.repo, separate);
    const refused = await scene.execute({ prompt: shell('true') }, at(separate, mode));
    expect(refused.error).toMatchObject({
      code: 'workspace_unusable',
      message: expect.stringContaining('core.worktree'),
    });
    await scene.git('-C', separate, 'config', 'core.worktree', separate);
    const outcome = await scene.execute({ prompt: shell('echo b > a.txt') }, at(separate, mode));
    expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: 'a.txt' }]);
  });

  test('where a submodule is moved to, and that it is gone', async () => {
    await using scene = await openScene();
    await committed(scene, { 'a.txt': 'a\n' });
    const nest = 'git init -q sub; git -C sub -c user.name=a -c user.email=a@b commit -q --allow-empty -m';
    await scene.execute({ prompt: shell(`${nest} one`) }, at(scene.repo, 'in_place'));
    await scene.git('add', 'sub');
    await scene.git('commit', '--quiet', '-m', 'sub');
    const moved = await scene.execute({ prompt: shell(`rm -rf sub; ${nest} two`) }, at(scene.repo, mode));
    expect(artifactOf(moved, 'files')?.data).toMatchObject([{ path: 'sub', status: 'modified' }]);
    await mkdir(join(scene.repo, 'sub'), { recursive: true });
    const gone = await scene.execute({ prompt: shell('rm -rf sub') }, at(scene.repo, mode));
    expect(artifactOf(gone, 'files')?.data).toMatchObject([{ path: 'sub', status: 'deleted' }]);
  });
});

describe('the worker refuses', () => {
  test.each([
    ['a pipe for a branch', 'mkfifo .git/refs/heads/x'],
    ['a pipe for the configuration', 'rm .git/config; mkfifo .git/config'],
    ['a pipe for HEAD', 'rm .git/HEAD; mkfifo .git/HEAD'],
    ['a pipe for the index', 'rm .git/index; mkfifo .git/index'],
    ['a link that leads nowhere', 'ln -s nowhere .git/objects/pack/pack-x.idx'],
    ['refs of a kind that it does not know', 'git config extensions.refStorage reftable'],
  ])('%s, at once', async (_, plant) => {
    await using scene = await openScene();
    await committed(scene, { 'a.txt': 'a\n' });
    await scene.execute({ prompt: shell(plant) });
    for (const mode of modes) {
      const outcome = await scene.execute({ prompt: shell('true') }, at(scene.repo, mode));
      expect(outcome).toMatchObject({ status: 'failed', error: { code: 'workspace_unusable' } });
    }
  });
});

test('a worktree that was made and goes leaves nothing in the repository, whatever its agent wrote there', async () => {
  await using scene = await openScene();
  await committed(scene, { 'a.txt': 'a\n' });
  const forge =
    'folder=$(git rev-parse --absolute-git-dir); echo /elsewhere > "$folder/commondir"; echo x > .git; echo b > a.txt';
  const outcome = await scene.execute({ prompt: shell(forge) }, at(scene.repo, 'worktree'));
  expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: 'a.txt' }]);
  expect((await scene.git('worktree', 'list')).split('\n')).toHaveLength(1);
  await expect(readFile(join(scene.repo, '.git/worktrees'))).rejects.toThrow('ENOENT');
});
