// Settings that the worker's git takes over from a repository and its user as data, and settings that it refuses to read.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WorkspaceBinding } from '../../../../src/worker/workspace/workspace.ts';
import {
  artifactOf,
  diffOf,
  openRunFixture,
  shellPrompt,
  type RunFixture,
} from '../../../support/worker/run-fixture.ts';

const id = '01890000-0000-7000-8000-000000000001';
const modes = ['worktree', 'in_place'] as const;

function at(path: string, mode: WorkspaceBinding['mode']): { binding: WorkspaceBinding } {
  return { binding: { codebaseId: 'c', path, mode } };
}

async function committed(fixture: RunFixture, files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) await fixture.write(path, content);
  await fixture.git('add', '.');
  await fixture.git('commit', '--quiet', '-m', 'first');
}

describe.each(modes)('the worker takes over (%s)', (mode) => {
  test("the user's line ends, ignored files and name, those on a condition too", async () => {
    await using fixture = await openRunFixture();
    await committed(fixture, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const home = join(fixture.root, 'home');
    const condition = `[includeIf "gitdir:${fixture.repo}/"]\n\tpath = ~/work\n`;
    await writeFile(join(home, '.gitconfig'), `[core]\n\tautocrlf = input\n\texcludesFile = ~/ignored\n${condition}`);
    await writeFile(join(home, 'work'), '[user]\n\tname = Ada\n\temail = ada@example.com\n');
    await writeFile(join(home, 'ignored'), '*.mine\n');
    await fixture.write('.git/info/exclude', '*.ours\n');
    const block = String.raw`printf 'b\r\n' > b.txt; echo x > x.mine; echo x > x.ours; echo c > c.txt`;
    const outcome = await fixture.execute({ prompt: shellPrompt(block) }, at(fixture.repo, mode));
    expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: 'c.txt' }]);
    if (mode === 'in_place') return;
    expect(await fixture.git('log', '-1', '--format=%an <%ae>', `switchyard/${id}`)).toBe('Ada <ada@example.com>');
  });

  test('a split index and a sparse checkout', async () => {
    await using fixture = await openRunFixture();
    await committed(fixture, { 'in/a.txt': 'a\n', 'out/b.txt': 'b\n' });
    await fixture.git('sparse-checkout', 'set', 'in');
    await fixture.git('update-index', '--split-index');
    const outcome = await fixture.execute({ prompt: shellPrompt('ls; echo b > in/a.txt') }, at(fixture.repo, mode));
    expect(outcome).toMatchObject({ status: 'completed', result: 'in' });
    expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: 'in/a.txt', status: 'modified' }]);
  });

  test('a sparse index', async () => {
    await using fixture = await openRunFixture();
    await committed(fixture, { 'in/a.txt': 'a\n', 'out/deep/b.txt': 'b\n' });
    await fixture.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'in');
    const outcome = await fixture.execute(
      { prompt: shellPrompt('ls; echo b > a.txt') },
      at(join(fixture.repo, 'in'), mode),
    );
    expect(outcome).toMatchObject({ status: 'completed', result: 'a.txt' });
    expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: 'in/a.txt', status: 'modified' }]);
  });

  test('objects of another format', async () => {
    await using fixture = await openRunFixture({ repository: false });
    await fixture.git('init', '--quiet', '--object-format=sha256', '--initial-branch=main');
    await committed(fixture, { 'a.txt': 'a\n' });
    const outcome = await fixture.execute(
      { prompt: shellPrompt('git log --format=%s; echo b > a.txt') },
      at(fixture.repo, mode),
    );
    expect(outcome).toMatchObject({ status: 'completed', result: 'first' });
    expect(diffOf(outcome).toString()).toContain('-a\n+b');
  });

  test('a submodule, and a git folder that lies elsewhere and names the place', async () => {
    await using fixture = await openRunFixture();
    await using other = await openRunFixture();
    await committed(other, { 'a.txt': 'a\n' });
    await fixture.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.repo, 'sub');
    await fixture.git('commit', '--quiet', '-m', 'with a submodule');
    const inside = await fixture.execute(
      { prompt: shellPrompt('echo b > a.txt') },
      at(join(fixture.repo, 'sub'), mode),
    );
    expect(artifactOf(inside, 'files')?.data).toMatchObject([{ path: 'a.txt' }]);
    const separate = join(fixture.root, 'separate');
    await fixture.git('clone', '--quiet', `--separate-git-dir=${separate}.git`, other.repo, separate);
    const refused = await fixture.execute({ prompt: shellPrompt('true') }, at(separate, mode));
    expect(refused.error).toMatchObject({
      code: 'workspace_unusable',
      message: expect.stringContaining('core.worktree'),
    });
    await fixture.git('-C', separate, 'config', 'core.worktree', separate);
    const outcome = await fixture.execute({ prompt: shellPrompt('echo b > a.txt') }, at(separate, mode));
    expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: 'a.txt' }]);
  });

  test('where a submodule is moved to, and that it is gone', async () => {
    await using fixture = await openRunFixture();
    await committed(fixture, { 'a.txt': 'a\n' });
    const nest = 'git init -q sub; git -C sub -c user.name=a -c user.email=a@b commit -q --allow-empty -m';
    await fixture.execute({ prompt: shellPrompt(`${nest} one`) }, at(fixture.repo, 'in_place'));
    await fixture.git('add', 'sub');
    await fixture.git('commit', '--quiet', '-m', 'sub');
    const moved = await fixture.execute({ prompt: shellPrompt(`rm -rf sub; ${nest} two`) }, at(fixture.repo, mode));
    expect(artifactOf(moved, 'files')?.data).toMatchObject([{ path: 'sub', status: 'modified' }]);
    await mkdir(join(fixture.repo, 'sub'), { recursive: true });
    const gone = await fixture.execute({ prompt: shellPrompt('rm -rf sub') }, at(fixture.repo, mode));
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
    await using fixture = await openRunFixture();
    await committed(fixture, { 'a.txt': 'a\n' });
    await fixture.execute({ prompt: shellPrompt(plant) });
    for (const mode of modes) {
      const outcome = await fixture.execute({ prompt: shellPrompt('true') }, at(fixture.repo, mode));
      expect(outcome).toMatchObject({ status: 'failed', error: { code: 'workspace_unusable' } });
    }
  });
});

test('a worktree that was made and goes leaves nothing in the repository, whatever its agent wrote there', async () => {
  await using fixture = await openRunFixture();
  await committed(fixture, { 'a.txt': 'a\n' });
  const forge =
    'folder=$(git rev-parse --absolute-git-dir); echo /elsewhere > "$folder/commondir"; echo x > .git; echo b > a.txt';
  const outcome = await fixture.execute({ prompt: shellPrompt(forge) }, at(fixture.repo, 'worktree'));
  expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: 'a.txt' }]);
  expect((await fixture.git('worktree', 'list')).split('\n')).toHaveLength(1);
  await expect(readFile(join(fixture.repo, '.git/worktrees'))).rejects.toThrow('ENOENT');
});
