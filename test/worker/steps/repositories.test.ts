// Steps in unusual repositories: what cannot be worked in is refused by name, the rest works as anywhere.
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { dropOldRefs } from '../../../src/worker/bundles/drop-old-refs.ts';
import { openRunFixture, shellPrompt, type RunFixture } from '../../support/worker/run-fixture.ts';
import { buildStep, openTestContext, readUserState } from '../../support/worker/step-fixture.ts';
import { implemented, openStepService, openStepWorker } from '../../support/worker/step-workers.ts';

const run = promisify(execFile);

async function firstCommit(fixture: RunFixture): Promise<string> {
  await fixture.write('a.txt', 'a\n');
  await fixture.git('add', '.');
  await fixture.git('commit', '--quiet', '-m', 'first');
  return fixture.git('rev-parse', 'HEAD');
}

describe('a step', () => {
  test('is refused in a plain folder, and where its base is no commit of the repository', async () => {
    await using plain = await openRunFixture({ repository: false });
    const worker = openStepWorker(plain, openStepService());
    const refused = await worker.run({ base: '1'.repeat(40) }, { prompt: shellPrompt('true') });
    expect(refused.outcome).toMatchObject({ status: 'failed', error: { code: 'not_a_repository' } });
    await using empty = await openRunFixture();
    const without = await openStepWorker(empty, openStepService()).run(
      { base: '1'.repeat(40) },
      { prompt: shellPrompt('true') },
    );
    expect(without.outcome).toMatchObject({ status: 'failed', error: { code: 'base_missing' } });
    await rm(empty.repo, { recursive: true });
    const gone = await openStepWorker(empty, openStepService()).run({ base: '1'.repeat(40) }, {});
    expect(gone.outcome).toMatchObject({ status: 'failed', error: { code: 'workspace_missing' } });
  });

  test('works with a submodule, a detached HEAD, a dirty index and odd names, which stay as they are', async () => {
    await using fixture = await openRunFixture();
    await using library = await openRunFixture();
    await firstCommit(library);
    const odd = ['sp ace', 'quo"te', 'new\nline', 'ünï', '-dash', 'star*', ':(top)'];
    for (const name of odd) await fixture.write(`odd/${name}`, `${name}\n`);
    await fixture.git('add', '.');
    await fixture.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.repo, 'lib');
    await fixture.git('commit', '--quiet', '-m', 'odd');
    const base = await fixture.git('rev-parse', 'HEAD');
    await fixture.git('checkout', '--quiet', '--detach');
    await fixture.write('staged.txt', 'staged\n');
    await fixture.git('add', 'staged.txt');
    const before = await readUserState(fixture);
    const worker = openStepWorker(fixture, openStepService());
    const block = 'for f in odd/* odd/-*; do echo more >> "$f"; done; printf x > "odd/tab\there"';
    const { result } = await worker.run({ base }, { prompt: shellPrompt(block) });
    const { candidate, changed } = implemented(result);
    expect(changed).toHaveLength(odd.length + 1);
    expect(await fixture.git('ls-tree', candidate?.commit ?? '', 'lib')).toMatch(/^160000 commit /);
    expect(await fixture.git('ls-tree', '-r', '--name-only', candidate?.commit ?? '')).not.toContain('staged.txt');
    expect(await readUserState(fixture)).toEqual(before);
  });

  test('works in a shallow clone, and in a repository with SHA-256 ids', async () => {
    await using original = await openRunFixture();
    await firstCommit(original);
    await original.git('commit', '--quiet', '--allow-empty', '-m', 'second');
    await using shallow = await openRunFixture();
    await rm(shallow.repo, { recursive: true });
    await run('git', ['clone', '--quiet', '--depth=1', `file://${original.repo}`, shallow.repo], { env: original.env });
    await using large = await openRunFixture({ repository: false });
    await run('git', ['init', '--quiet', '--object-format=sha256'], { cwd: large.repo, env: large.env });
    await firstCommit(large);
    for (const fixture of [shallow, large]) {
      const base = await fixture.git('rev-parse', 'HEAD');
      const before = await readUserState(fixture);
      const service = openStepService();
      const made = await openStepWorker(fixture, service).run(
        { base },
        { prompt: shellPrompt('git log; echo b > b.txt') },
      );
      expect(made.outcome.error).toBeUndefined();
      expect(service.bundles.get(made.taskId)?.length).toBeGreaterThan(0);
      expect(await readUserState(fixture)).toEqual(before);
    }
  });

  test('drops hidden refs whose commits are old, and no other ref [runs-8.4]', async () => {
    await using fixture = await openRunFixture();
    const base = await firstCommit(fixture);
    await openStepWorker(fixture, openStepService()).run({ base }, { prompt: shellPrompt('echo b > b.txt') });
    await fixture.git('update-ref', 'refs/switchyard/keep', base);
    await using context = await openTestContext(fixture, buildStep());
    const hidden = (): Promise<string> => fixture.git('for-each-ref', '--format=%(refname)', 'refs/switchyard');
    expect((await hidden()).split('\n')).toHaveLength(2);
    await dropOldRefs({ git: context.git, root: fixture.repo }, Date.parse('2026-11-21T10:04:00Z'));
    expect((await hidden()).split('\n')).toHaveLength(2);
    await dropOldRefs({ git: context.git, root: fixture.repo }, Date.parse('2026-11-21T10:04:01Z'));
    expect(await hidden()).toBe('refs/switchyard/keep');
  });

  test('is not taken in by what an agent left in the shared git folder', async () => {
    await using fixture = await openRunFixture();
    const base = await firstCommit(fixture);
    const mark = join(fixture.root, 'ran');
    await fixture.git('config', 'filter.x.clean', `touch ${mark}`);
    await fixture.git('config', 'filter.x.smudge', `touch ${mark}`);
    await fixture.git('config', 'merge.x.driver', `touch ${mark}`);
    await fixture.git('config', 'diff.x.textconv', `touch ${mark}`);
    await fixture.git('config', 'core.fsmonitor', `touch ${mark}`);
    await fixture.git('config', 'gpg.program', `touch ${mark}`);
    await fixture.write('.git/info/attributes', '* filter=x merge=x diff=x\n');
    await fixture.git('replace', '--graft', base).catch(() => '');
    const worker = openStepWorker(fixture, openStepService());
    const attributes = 'printf "* filter=x merge=x diff=x\\n" > .gitattributes; echo b >> a.txt';
    const one = implemented((await worker.run({ base }, { prompt: shellPrompt(attributes) })).result);
    const two = implemented((await worker.run({ base, n: 2 }, { prompt: shellPrompt('echo c > c.txt') })).result);
    const [head = '', candidate = ''] = [one.candidate?.commit, two.candidate?.commit];
    const landed = await worker.run({ kind: 'land', base, head, candidate });
    expect(landed.result).toMatchObject({ verdict: 'ok' });
    expect((await run('ls', [fixture.root])).stdout).not.toContain('ran');
  });
});
