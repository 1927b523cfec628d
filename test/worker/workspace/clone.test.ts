// Runs in repositories that are registered by address: cloned on first use, fetched later, and only where that is allowed.
import { readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WorkerTask } from '../../../src/contracts/worker.ts';
import type { ExecuteOptions } from '../../../src/worker/attempt/execute.ts';
import type { TaskOutcome } from '../../../src/worker/report/task-outcome.ts';
import { sweepClones, type ClonePolicy } from '../../../src/worker/workspace/clone.ts';
import { until } from '../../support/until.ts';
import { artifactOf, diffOf, openRunFixture, shellPrompt, type RunFixture } from '../../support/worker/run-fixture.ts';
import { serveRepository } from '../../support/worker/web-repository.ts';

const id = '01890000-0000-7000-8000-000000000001';

/** A scene whose repository has a bare twin, `origin.git`, that the worker clones from. */
async function withOrigin(): Promise<{
  fixture: RunFixture;
  origin: string;
  push: (content: string) => Promise<string>;
}> {
  const fixture = await openRunFixture();
  const origin = join(fixture.root, 'origin.git');
  await fixture.git('init', '--quiet', '--bare', '--initial-branch=main', origin);
  const push = async (content: string): Promise<string> => {
    await fixture.write('a.txt', content);
    await fixture.git('add', '.');
    await fixture.git('commit', '--quiet', '-m', content.trim());
    await fixture.git('push', '--quiet', origin, 'HEAD:main');
    await fixture.git('--git-dir', origin, 'update-server-info');
    return fixture.git('rev-parse', 'HEAD');
  };
  await push('one\n');
  return { fixture, origin, push };
}

async function execute(
  fixture: RunFixture,
  url: string,
  task: Partial<WorkerTask>,
  { policy, ...more }: Partial<ExecuteOptions> & { policy?: Partial<ClonePolicy> } = {},
): Promise<TaskOutcome> {
  const clones = { from: ['*'], timeoutMs: 60_000, push: false, ...policy };
  return fixture.execute(task, { binding: { codebaseId: 'c', path: url, mode: 'worktree' }, clones, ...more });
}

function outputText(fixture: RunFixture): string {
  return fixture.events.map((event) => (event.type === 'progress' ? event.message : '')).join('\n');
}

async function clonesOf(fixture: RunFixture): Promise<string[]> {
  const folder = join(fixture.stateDir, 'clones');
  const each = await Promise.all(
    (await readdir(folder)).map(async (name) =>
      (await readdir(join(folder, name))).map((one) => join(folder, name, one)),
    ),
  );
  return each.flat();
}

const edit = shellPrompt('cat a.txt; echo edited >> a.txt');

describe('a repository that is registered by address', () => {
  test('is cloned on first use and fetched later; results are branches of the clone, and diffs', async () => {
    const { fixture, origin, push } = await withOrigin();
    await using _fixture = fixture;
    const url = `file://${origin}`;
    const first = await execute(fixture, url, { prompt: edit });
    expect(first).toMatchObject({ status: 'completed', result: 'one' });
    expect(diffOf(first).toString()).toContain('+edited');
    const [clone = ''] = await clonesOf(fixture);
    expect(clone).toMatch(/\/origin$/);
    expect(artifactOf(first, 'branch')?.data).toMatchObject({ repository: clone, branch: `switchyard/${id}` });
    expect(outputText(fixture)).toContain('was cloned');

    const tip = await push('two\n');
    const other = { id: id.replace(/1$/, '2'), prompt: edit };
    expect(await execute(fixture, url, other)).toMatchObject({ status: 'completed', result: 'two' });
    expect(outputText(fixture)).toContain(`The attempt starts from ${tip.slice(0, 10)} of ${url}.`);
    expect(await clonesOf(fixture)).toEqual([clone]);
    const branches = await fixture.git('--git-dir', join(clone, '.git'), 'branch', '--list', 'switchyard/*');
    expect(branches.split('\n')).toHaveLength(2);
    expect(await fixture.git('--git-dir', origin, 'branch')).toBe('* main');
    expect(await readdir(join(fixture.stateDir, 'runs'))).toEqual([]);
  });

  test('is cloned once by runs that come at the same time, and all keep their results', async () => {
    const { fixture, origin } = await withOrigin();
    await using _fixture = fixture;
    const outcomes = await Promise.all(
      [1, 2, 3].map((n) =>
        execute(fixture, `file://${origin}`, {
          id: id.replace(/1$/, `${n}`),
          prompt: shellPrompt(`echo ${n} > a.txt`),
        }),
      ),
    );
    for (const [at, outcome] of outcomes.entries()) expect(diffOf(outcome).toString()).toContain(`+${at + 1}`);
    expect(await clonesOf(fixture)).toHaveLength(1);
  });

  test('is worked on at the branch that the task names', async () => {
    const { fixture, origin, push } = await withOrigin();
    await using _fixture = fixture;
    await fixture.git('push', '--quiet', origin, 'HEAD:release');
    await push('two\n');
    const named = { prompt: edit, metadata: { git_base: 'release' } };
    expect(await execute(fixture, `file://${origin}`, named)).toMatchObject({ result: 'one' });
  });

  test('gets the branch back where the operator allows it, and nothing else', async () => {
    const { fixture, origin } = await withOrigin();
    await using _fixture = fixture;
    const url = `file://${origin}`;
    const outcome = await execute(fixture, url, { prompt: edit }, { policy: { push: true } });
    const branch = `switchyard/${id}`;
    expect(artifactOf(outcome, 'branch')?.data).toMatchObject({ repository: url, merge: `git pull ${url} ${branch}` });
    expect(await fixture.git('--git-dir', origin, 'show', `${branch}:a.txt`)).toBe('one\nedited');
    expect((await fixture.git('--git-dir', origin, 'branch')).split('\n')).toHaveLength(2);
    await writeFile(join(origin, 'hooks', 'pre-receive'), '#!/bin/sh\necho not today >&2\nexit 1\n', { mode: 0o755 });
    const other = { id: id.replace(/1$/, '2'), prompt: edit };
    expect(await execute(fixture, url, other, { policy: { push: true } })).toMatchObject({ status: 'completed' });
    expect(outputText(fixture)).toContain('could not be pushed');
  });

  test('that is away is worked on as it was fetched last, and the log says so', async () => {
    const { fixture, origin } = await withOrigin();
    await using _fixture = fixture;
    const url = `file://${origin}`;
    await execute(fixture, url, { prompt: edit });
    await rename(origin, `${origin}.away`);
    const outcome = await execute(fixture, url, { prompt: edit });
    expect(outcome).toMatchObject({ status: 'completed', result: 'one' });
    expect(outputText(fixture)).toContain('starts from the last fetched commit');
  });

  test('is cloned anew when the clone is damaged, which is kept', async () => {
    const { fixture, origin } = await withOrigin();
    await using _fixture = fixture;
    const url = `file://${origin}`;
    await execute(fixture, url, { prompt: edit });
    const [clone = ''] = await clonesOf(fixture);
    await rm(join(clone, '.git/HEAD'));
    expect(await execute(fixture, url, { prompt: edit })).toMatchObject({ status: 'completed', result: 'one' });
    expect((await clonesOf(fixture)).filter((path) => path.includes('.damaged-'))).toHaveLength(1);
  });

  test('is fetched past the lock of a git that was killed', async () => {
    const { fixture, origin, push } = await withOrigin();
    await using _fixture = fixture;
    const url = `file://${origin}`;
    await execute(fixture, url, { prompt: edit });
    const [clone = ''] = await clonesOf(fixture);
    const lock = join(clone, '.git/refs/remotes/origin/main.lock');
    await writeFile(lock, '');
    await utimes(lock, 1, 1);
    await push('two\n');
    expect(await execute(fixture, url, { prompt: edit })).toMatchObject({ result: 'two' });
  });

  test('leaves nothing of a clone that was not finished', async () => {
    const { fixture, origin } = await withOrigin();
    await using _fixture = fixture;
    await execute(fixture, `file://${origin}`, { prompt: edit });
    const [clone = ''] = await clonesOf(fixture);
    await rename(clone, `${clone}.new-01890000-0000-7000-8000-000000000001`);
    await sweepClones(fixture.stateDir);
    expect(await clonesOf(fixture)).toEqual([]);
  });

  test('is refused where the operator does not allow it, or as no address at all', async () => {
    const { fixture, origin } = await withOrigin();
    await using _fixture = fixture;
    const url = `file://${origin}`;
    for (const from of [[], ['https://github.com/'], [`file://${fixture.root}/orig`]]) {
      const outcome = await execute(fixture, url, { prompt: edit }, { policy: { from } });
      expect(outcome).toMatchObject({ status: 'failed', error: { code: 'clone_refused' } });
      expect(outcome.error?.message).toContain('clone_from');
    }
    for (const address of ['https://u:secret@host/x', `ext://sh -c "touch ${fixture.root}/hit"`, `${url}/../x`]) {
      const outcome = await execute(fixture, address, { prompt: edit });
      expect(outcome).toMatchObject({ status: 'failed', error: { code: 'clone_refused' } });
      expect(outcome.error?.message).not.toContain('secret');
    }
    expect(await readdir(fixture.root)).not.toContain('hit');
    const allowed = { policy: { from: [`file://${fixture.root}`] } };
    expect(await execute(fixture, url, { prompt: edit }, allowed)).toMatchObject({ status: 'completed' });
  });

  test('that is empty or missing fails with words for it', async () => {
    const { fixture } = await withOrigin();
    await using _fixture = fixture;
    const empty = join(fixture.root, 'empty.git');
    await fixture.git('init', '--quiet', '--bare', empty);
    const outcome = await execute(fixture, `file://${empty}`, { prompt: edit });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'clone_failed' } });
    expect(outcome.error?.message).toContain('no commit yet');
    expect(await execute(fixture, `file://${fixture.root}/none.git`, { prompt: edit })).toMatchObject({
      error: { code: 'clone_failed' },
    });
    expect(await clonesOf(fixture)).toEqual([]);
  });
});

describe('a repository on the web', () => {
  test('is cloned with the credentials of a helper, which stand in no log and no file of ours', async () => {
    const { fixture, origin } = await withOrigin();
    await using _fixture = fixture;
    await using web = await serveRepository(origin, 'password');
    const refused = await execute(fixture, web.url, { prompt: edit });
    expect(refused).toMatchObject({ status: 'failed', error: { code: 'clone_failed' } });
    const helper = `!f() { echo username=u; echo password=secret-word; }; f`;
    await writeFile(join(fixture.root, 'home/.gitconfig'), `[credential]\n\thelper = "${helper}"\n`);
    const outcome = await execute(fixture, web.url, { prompt: edit });
    expect(outcome).toMatchObject({ status: 'completed', result: 'one' });
    expect(web.authorizations).toContain(`Basic ${Buffer.from('u:secret-word').toString('base64')}`);
    const [clone = ''] = await clonesOf(fixture);
    expect(await readFile(join(clone, '.git/config'), 'utf8')).not.toContain('secret-word');
    expect(JSON.stringify([fixture.events, refused, outcome])).not.toContain('secret-word');
  });

  test('is not followed elsewhere', async () => {
    const { fixture, origin } = await withOrigin();
    await using _fixture = fixture;
    await using web = await serveRepository(origin, 'redirect');
    expect(await execute(fixture, web.url, { prompt: edit })).toMatchObject({ error: { code: 'clone_failed' } });
  });

  test('that never answers ends by its deadline, or with the run', async () => {
    const { fixture, origin } = await withOrigin();
    await using _fixture = fixture;
    await using web = await serveRepository(origin, 'silent');
    const timedOut = await execute(fixture, web.url, { prompt: edit }, { policy: { timeoutMs: 500 } });
    expect(timedOut).toMatchObject({ status: 'failed', error: { code: 'clone_failed' } });
    expect(timedOut.error?.message).toContain('clone_timeout_seconds');
    const ending = new AbortController();
    const calls = web.authorizations.length;
    const running = execute(fixture, web.url, { prompt: edit }, { signal: ending.signal });
    await until('it is asked', () => web.authorizations.length > calls);
    ending.abort('cancelled');
    expect(await running).toEqual({ status: 'cancelled' });
    expect(await clonesOf(fixture)).toEqual([]);
  });
});
