// Changes of an attempt in place: exactly the agent's changes, as a diff that applies, whatever the state before.
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WorkspaceBinding } from '../../../src/worker/workspace/workspace.ts';
import { dirtyRepository, everyChange, expectedFiles, withoutIgnored } from '../../support/worker/dirty-repository.ts';
import { until } from '../../support/until.ts';
import {
  applyTo,
  artifactOf,
  copyRepository,
  diffOf,
  readFiles,
  openRunFixture,
  shellPrompt,
} from '../../support/worker/run-fixture.ts';

function at(path: string, mode: WorkspaceBinding['mode']): { binding: WorkspaceBinding } {
  return { binding: { codebaseId: 'c', path, mode } };
}

describe('a run in place', () => {
  test('serves the agent changes alone, as a diff that applies to the state before [choices-5.31, choices-5.32]', async () => {
    await using fixture = await openRunFixture();
    await dirtyRepository(fixture);
    const before = await copyRepository(fixture);
    const index = await stat(join(fixture.repo, '.git/index'));
    // How the user likes his diffs must not show in ours.
    const likes =
      '[diff]\n noprefix = true\n external = false\n renames = false\n context = 0\n[color]\n ui = always\n';
    await writeFile(join(fixture.root, 'home/.gitconfig'), `${likes}[core]\n fsmonitor = false\n autocrlf = input\n`);

    const outcome = await fixture.execute({ prompt: everyChange });

    expect(outcome).toMatchObject({ status: 'completed', result: 'all done' });
    expect(artifactOf(outcome, 'files')?.data).toEqual(expectedFiles);
    expect(artifactOf(outcome, 'files')?.mime_type).toBe('application/json');
    expect(artifactOf(outcome, 'diff')?.mime_type).toBe('text/x-diff');
    await applyTo(fixture, before, diffOf(outcome));
    expect(await withoutIgnored(before)).toEqual(await withoutIgnored(fixture.repo));
    expect((await stat(join(fixture.repo, '.git/index'))).mtimeMs).toBe(index.mtimeMs);
    expect(await fixture.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
  });

  test('sees an edit of the same length in the second in which the index was written', async () => {
    await using fixture = await openRunFixture();
    await until('a second to begin', () => Date.now() % 1000 < 50);
    const second = Math.floor(Date.now() / 1000);
    await fixture.write('a.txt', 'one\n');
    await fixture.git('add', '.');
    await fixture.write('a.txt', 'two\n');
    await until('the next second', () => Date.now() / 1000 > second + 1);
    const outcome = await fixture.execute({ prompt: shellPrompt('cat a.txt; git diff --stat; echo six > a.txt') });
    expect(diffOf(outcome).toString()).toContain('-two\n+six');
  });

  test('leaves no object of its snapshots in the repository', async () => {
    await using fixture = await openRunFixture();
    await dirtyRepository(fixture);
    const before = await fixture.git('count-objects');
    await fixture.execute({ prompt: shellPrompt('echo changed > kept.txt') });
    expect(await fixture.git('count-objects')).toBe(before);
  });

  test('serves no diff when nothing changed', async () => {
    await using fixture = await openRunFixture();
    await dirtyRepository(fixture);
    const outcome = await fixture.execute({ prompt: shellPrompt('touch kept.txt; echo looked') });
    expect(outcome).toMatchObject({ status: 'completed', artifacts: [] });
  });

  test('shows the changes of an agent that commits them', async () => {
    await using fixture = await openRunFixture();
    await dirtyRepository(fixture);
    const before = await copyRepository(fixture);
    const commit = 'git -c user.name=a -c user.email=a@b commit --quiet -a -m agent';
    const outcome = await fixture.execute({ prompt: shellPrompt(`sed -i s/two/2/ edited.txt; git add -A; ${commit}`) });
    expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: 'edited.txt' }]);
    await applyTo(fixture, before, diffOf(outcome));
    expect(await withoutIgnored(before)).toEqual(await withoutIgnored(fixture.repo));
  });

  test('keeps the edits of a failing agent visible', async () => {
    await using fixture = await openRunFixture();
    await dirtyRepository(fixture);
    const outcome = await fixture.execute({ prompt: shellPrompt('echo half > edited.txt; echo it broke >&2; exit 3') });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'agent_exit' } });
    expect(outcome.error?.message).toContain('exit code 3');
    expect(outcome.error?.message).toContain('it broke');
    expect(diffOf(outcome).toString()).toContain('+half');
  });

  test('works in a folder without a repository', async () => {
    await using fixture = await openRunFixture({ repository: false });
    await fixture.write('a.txt', 'a\n');
    await fixture.write('.gitignore', 'out/\n');
    const before = await copyRepository(fixture);
    const outcome = await fixture.execute({
      prompt: shellPrompt('echo b > a.txt; mkdir out; echo x > out/x; echo n > n.txt'),
    });
    expect(artifactOf(outcome, 'files')?.data).toEqual([
      { path: 'a.txt', status: 'modified', added: 1, removed: 1 },
      { path: 'n.txt', status: 'added', added: 1, removed: 0 },
    ]);
    await applyTo(fixture, before, diffOf(outcome));
    expect(Object.keys(await readFiles(fixture.repo))).toEqual(['.gitignore', 'a.txt', 'n.txt', 'out/x']);
    expect((await readFiles(before))['a.txt']).toBe((await readFiles(fixture.repo))['a.txt']);
  });

  test('works in a repository without a commit, and in a folder of a repository', async () => {
    await using fixture = await openRunFixture();
    await fixture.write('package/a.txt', 'a\n');
    const first = await fixture.execute({ prompt: shellPrompt('echo b > package/a.txt') });
    expect(artifactOf(first, 'files')?.data).toMatchObject([{ path: 'package/a.txt', status: 'modified' }]);
    await fixture.git('add', '.');
    await fixture.git('commit', '--quiet', '-m', 'first');
    const workplace = { codebaseId: 'c', path: join(fixture.repo, 'package'), mode: 'in_place' } as const;
    const second = await fixture.execute(
      { prompt: shellPrompt('pwd; echo c > a.txt; echo d > ../d.txt') },
      { binding: workplace },
    );
    expect(second.result).toBe(join(fixture.repo, 'package'));
    expect(artifactOf(second, 'files')?.data).toMatchObject([{ path: 'd.txt' }, { path: 'package/a.txt' }]);
  });

  test('leaves out what lies in the data folder of the service and of the worker', async () => {
    await using fixture = await openRunFixture();
    await fixture.write('a.txt', 'a\n');
    const stateDir = join(fixture.repo, 'state');
    const block = 'mkdir -p .switchyard/pg; echo x > .switchyard/pg/1; echo b > a.txt';
    const outcome = await fixture.execute({ prompt: shellPrompt(block) }, { stateDir });
    expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: 'a.txt' }]);
    expect(await fixture.git('status', '--porcelain', '--untracked-files=all')).not.toContain('state/');
  });

  test('copes with nested repositories: listed, not in the diff', async () => {
    await using fixture = await openRunFixture();
    await fixture.write('a.txt', 'a\n');
    await fixture.git('add', '.');
    await fixture.git('commit', '--quiet', '-m', 'first');
    const before = await copyRepository(fixture);
    const commit = 'git -c user.name=a -c user.email=a@b commit --quiet --allow-empty -m n';
    const block = `git init --quiet empty; echo e > empty/e; git init --quiet nested; (cd nested; ${commit}); echo b > a.txt`;
    const outcome = await fixture.execute({ prompt: shellPrompt(block) });
    expect(artifactOf(outcome, 'files')?.data).toMatchObject([
      { path: 'a.txt', status: 'modified' },
      { path: 'nested', status: 'added', note: expect.stringContaining('nested repository') },
    ]);
    await applyTo(fixture, before, diffOf(outcome));
    expect((await readFiles(before))['a.txt']).toBe(Buffer.from('b\n').toString('base64'));
  });

  test('keeps a diff that applies when not everything fits into it', async () => {
    await using fixture = await openRunFixture();
    await fixture.write('a.txt', 'a\n');
    const before = await copyRepository(fixture);
    const block = `head -c 9000000 /dev/urandom | base64 > large.txt; echo b > a.txt; echo z > z.txt`;
    const outcome = await fixture.execute({ prompt: shellPrompt(block) });
    expect(artifactOf(outcome, 'files')?.data).toMatchObject([
      { path: 'a.txt' },
      { path: 'large.txt', note: expect.stringContaining('left out of the diff') },
      { path: 'z.txt' },
    ]);
    await applyTo(fixture, before, diffOf(outcome));
    expect(Object.keys(await readFiles(before))).toEqual(['a.txt', 'z.txt']);
  });

  test('serves a diff as bytes when it is no text', async () => {
    await using fixture = await openRunFixture();
    const before = await copyRepository(fixture);
    const outcome = await fixture.execute({ prompt: shellPrompt(String.raw`printf 'caf\351\n' > latin1.txt`) });
    expect(artifactOf(outcome, 'diff')).toMatchObject({ bytes: expect.any(String) });
    await applyTo(fixture, before, diffOf(outcome));
    expect(await readFiles(before)).toEqual(await readFiles(fixture.repo));
  });

  test('lets one run at a time into a folder', async () => {
    await using fixture = await openRunFixture();
    await fixture.write('log.txt', '');
    const block = 'echo begin >> log.txt; sleep 0.2; echo end >> log.txt';
    const outcomes = await Promise.all([1, 2, 3].map(() => fixture.execute({ prompt: shellPrompt(block) })));
    for (const outcome of outcomes)
      expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ added: 2, removed: 0 }]);
    expect(fixture.events).toContainEqual({ type: 'progress', message: expect.stringContaining('waiting for it') });
  });

  test('says what is wrong with a binding', async () => {
    await using fixture = await openRunFixture();
    const missing = await fixture.execute({}, at(join(fixture.root, 'nowhere'), 'in_place'));
    expect(missing).toMatchObject({ status: 'failed', error: { code: 'workspace_missing' } });
    const inside = await fixture.execute({}, at(join(fixture.repo, '.git'), 'in_place'));
    expect(inside).toMatchObject({ status: 'failed', error: { code: 'workspace_unusable' } });
    const plain = await fixture.execute({}, at(join(fixture.root, 'home'), 'worktree'));
    expect(plain).toMatchObject({ status: 'failed', error: { code: 'workspace_unusable' } });
    expect(plain.error?.message).toContain('git init');
  });
});
