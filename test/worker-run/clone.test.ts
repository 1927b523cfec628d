// Runs in repositories that are registered by address: cloned on first use, fetched later, and only where that is allowed.
import { readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WorkerTask } from '../../src/contracts/worker.ts';
import type { ExecuteOptions, Outcome } from '../../src/worker/attempt/execute.ts';
import { sweepClones, type ClonePolicy } from '../../src/worker/workspace/clone.ts';
import { until } from '../support/until.ts';
import { artifactOf, diffOf, openScene, shell, type Scene } from './scene.ts';
import { serveRepository } from './web-repository.ts';

const id = '01890000-0000-7000-8000-000000000001';

/** A scene whose repository has a bare twin, `origin.git`, that the worker clones from. */
async function withOrigin(): Promise<{ scene: Scene; origin: string; push: (content: string) => Promise<string> }> {
  const scene = await openScene();
  const origin = join(scene.root, 'origin.git');
  await scene.git('init', '--quiet', '--bare', '--initial-branch=main', origin);
  const push = async (content: string): Promise<string> => {
    await scene.write('a.txt', content);
    await scene.git('add', '.');
    await scene.git('commit', '--quiet', '-m', content.trim());
    await scene.git('push', '--quiet', origin, 'HEAD:main');
    await scene.git('--git-dir', origin, 'update-server-info');
    return scene.git('rev-parse', 'HEAD');
  };
  await push('one\n');
  return { scene, origin, push };
}

async function execute(
  scene: Scene,
  url: string,
  task: Partial<WorkerTask>,
  { policy, ...more }: Partial<ExecuteOptions> & { policy?: Partial<ClonePolicy> } = {},
): Promise<Outcome> {
  const clones = { from: ['*'], timeoutMs: 60_000, push: false, ...policy };
  return scene.execute(task, { workplace: { codebaseId: 'c', path: url, mode: 'worktree' }, clones, ...more });
}

function said(scene: Scene): string {
  return scene.events.map((event) => (event.type === 'progress' ? event.message : '')).join('\n');
}

async function clonesOf(scene: Scene): Promise<string[]> {
  const folder = join(scene.stateDir, 'clones');
  const each = await Promise.all(
    (await readdir(folder)).map(async (name) =>
      (await readdir(join(folder, name))).map((one) => join(folder, name, one)),
    ),
  );
  return each.flat();
}

const edit = shell('cat a.txt; echo edited >> a.txt');

describe('a repository that is registered by address', () => {
  test('is cloned on first use and fetched later; results are branches of the clone, and diffs', async () => {
    const { scene, origin, push } = await withOrigin();
    await using _scene = scene;
    const url = `file://${origin}`;
    const first = await execute(scene, url, { prompt: edit });
    expect(first).toMatchObject({ status: 'completed', result: 'one' });
    expect(diffOf(first).toString()).toContain('+edited');
    const [clone = ''] = await clonesOf(scene);
    expect(clone).toMatch(/\/origin$/);
    expect(artifactOf(first, 'branch')?.data).toMatchObject({ repository: clone, branch: `switchyard/${id}` });
    expect(said(scene)).toContain('was cloned');

    const tip = await push('two\n');
    const other = { id: id.replace(/1$/, '2'), prompt: edit };
    expect(await execute(scene, url, other)).toMatchObject({ status: 'completed', result: 'two' });
    expect(said(scene)).toContain(`The run starts from ${tip.slice(0, 10)} of ${url}.`);
    expect(await clonesOf(scene)).toEqual([clone]);
    const branches = await scene.git('--git-dir', join(clone, '.git'), 'branch', '--list', 'switchyard/*');
    expect(branches.split('\n')).toHaveLength(2);
    expect(await scene.git('--git-dir', origin, 'branch')).toBe('* main');
    expect(await readdir(join(scene.stateDir, 'runs'))).toEqual([]);
  });

  test('is cloned once by runs that come at the same time, and all keep their results', async () => {
    const { scene, origin } = await withOrigin();
    await using _scene = scene;
    const outcomes = await Promise.all(
      [1, 2, 3].map((n) =>
        execute(scene, `file://${origin}`, { id: id.replace(/1$/, `${n}`), prompt: shell(`echo ${n} > a.txt`) }),
      ),
    );
    for (const [at, outcome] of outcomes.entries()) expect(diffOf(outcome).toString()).toContain(`+${at + 1}`);
    expect(await clonesOf(scene)).toHaveLength(1);
  });

  test('is worked on at the branch that the task names', async () => {
    const { scene, origin, push } = await withOrigin();
    await using _scene = scene;
    await scene.git('push', '--quiet', origin, 'HEAD:release');
    await push('two\n');
    const named = { prompt: edit, metadata: { git_base: 'release' } };
    expect(await execute(scene, `file://${origin}`, named)).toMatchObject({ result: 'one' });
  });

  test('gets the branch back where the operator allows it, and nothing else', async () => {
    const { scene, origin } = await withOrigin();
    await using _scene = scene;
    const url = `file://${origin}`;
    const outcome = await execute(scene, url, { prompt: edit }, { policy: { push: true } });
    const branch = `switchyard/${id}`;
    expect(artifactOf(outcome, 'branch')?.data).toMatchObject({ repository: url, merge: `git pull ${url} ${branch}` });
    expect(await scene.git('--git-dir', origin, 'show', `${branch}:a.txt`)).toBe('one\nedited');
    expect((await scene.git('--git-dir', origin, 'branch')).split('\n')).toHaveLength(2);
    await writeFile(join(origin, 'hooks', 'pre-receive'), '#!/bin/sh\necho not today >&2\nexit 1\n', { mode: 0o755 });
    const other = { id: id.replace(/1$/, '2'), prompt: edit };
    expect(await execute(scene, url, other, { policy: { push: true } })).toMatchObject({ status: 'completed' });
    expect(said(scene)).toContain('could not be pushed');
  });

  test('that is away is worked on as it was fetched last, and the log says so', async () => {
    const { scene, origin } = await withOrigin();
    await using _scene = scene;
    const url = `file://${origin}`;
    await execute(scene, url, { prompt: edit });
    await rename(origin, `${origin}.away`);
    const outcome = await execute(scene, url, { prompt: edit });
    expect(outcome).toMatchObject({ status: 'completed', result: 'one' });
    expect(said(scene)).toContain('starts from what was fetched last');
  });

  test('is cloned anew when the clone is damaged, which is kept', async () => {
    const { scene, origin } = await withOrigin();
    await using _scene = scene;
    const url = `file://${origin}`;
    await execute(scene, url, { prompt: edit });
    const [clone = ''] = await clonesOf(scene);
    await rm(join(clone, '.git/HEAD'));
    expect(await execute(scene, url, { prompt: edit })).toMatchObject({ status: 'completed', result: 'one' });
    expect((await clonesOf(scene)).filter((path) => path.includes('.damaged-'))).toHaveLength(1);
  });

  test('is fetched past the lock of a git that was killed', async () => {
    const { scene, origin, push } = await withOrigin();
    await using _scene = scene;
    const url = `file://${origin}`;
    await execute(scene, url, { prompt: edit });
    const [clone = ''] = await clonesOf(scene);
    const lock = join(clone, '.git/refs/remotes/origin/main.lock');
    await writeFile(lock, '');
    await utimes(lock, 1, 1);
    await push('two\n');
    expect(await execute(scene, url, { prompt: edit })).toMatchObject({ result: 'two' });
  });

  test('leaves nothing of a clone that was not finished', async () => {
    const { scene, origin } = await withOrigin();
    await using _scene = scene;
    await execute(scene, `file://${origin}`, { prompt: edit });
    const [clone = ''] = await clonesOf(scene);
    await rename(clone, `${clone}.new-01890000-0000-7000-8000-000000000001`);
    await sweepClones(scene.stateDir);
    expect(await clonesOf(scene)).toEqual([]);
  });

  test('is refused where the operator does not allow it, or as no address at all', async () => {
    const { scene, origin } = await withOrigin();
    await using _scene = scene;
    const url = `file://${origin}`;
    for (const from of [[], ['https://github.com/'], [`file://${scene.root}/orig`]]) {
      const outcome = await execute(scene, url, { prompt: edit }, { policy: { from } });
      expect(outcome).toMatchObject({ status: 'failed', error: { code: 'clone_refused' } });
      expect(outcome.error?.message).toContain('clone_from');
    }
    for (const address of ['https://u:secret@host/x', `ext://sh -c "touch ${scene.root}/hit"`, `${url}/../x`]) {
      const outcome = await execute(scene, address, { prompt: edit });
      expect(outcome).toMatchObject({ status: 'failed', error: { code: 'clone_refused' } });
      expect(outcome.error?.message).not.toContain('secret');
    }
    expect(await readdir(scene.root)).not.toContain('hit');
    const allowed = { policy: { from: [`file://${scene.root}`] } };
    expect(await execute(scene, url, { prompt: edit }, allowed)).toMatchObject({ status: 'completed' });
  });

  test('that is empty or missing fails with words for it', async () => {
    const { scene } = await withOrigin();
    await using _scene = scene;
    const empty = join(scene.root, 'empty.git');
    await scene.git('init', '--quiet', '--bare', empty);
    const outcome = await execute(scene, `file://${empty}`, { prompt: edit });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'clone_failed' } });
    expect(outcome.error?.message).toContain('no commit yet');
    expect(await execute(scene, `file://${scene.root}/none.git`, { prompt: edit })).toMatchObject({
      error: { code: 'clone_failed' },
    });
    expect(await clonesOf(scene)).toEqual([]);
  });
});

describe('a repository on the web', () => {
  test('is cloned with the credentials of a helper, which stand in no log and no file of ours', async () => {
    const { scene, origin } = await withOrigin();
    await using _scene = scene;
    await using web = await serveRepository(origin, 'password');
    const refused = await execute(scene, web.url, { prompt: edit });
    expect(refused).toMatchObject({ status: 'failed', error: { code: 'clone_failed' } });
    const helper = `!f() { echo username=u; echo password=secret-word; }; f`;
    await writeFile(join(scene.root, 'home/.gitconfig'), `[credential]\n\thelper = "${helper}"\n`);
    const outcome = await execute(scene, web.url, { prompt: edit });
    expect(outcome).toMatchObject({ status: 'completed', result: 'one' });
    expect(web.authorizations).toContain(`Basic ${Buffer.from('u:secret-word').toString('base64')}`);
    const [clone = ''] = await clonesOf(scene);
    expect(await readFile(join(clone, '.git/config'), 'utf8')).not.toContain('secret-word');
    expect(JSON.stringify([scene.events, refused, outcome])).not.toContain('secret-word');
  });

  test('is not followed elsewhere', async () => {
    const { scene, origin } = await withOrigin();
    await using _scene = scene;
    await using web = await serveRepository(origin, 'redirect');
    expect(await execute(scene, web.url, { prompt: edit })).toMatchObject({ error: { code: 'clone_failed' } });
  });

  test('that never answers ends by its deadline, or with the run', async () => {
    const { scene, origin } = await withOrigin();
    await using _scene = scene;
    await using web = await serveRepository(origin, 'silent');
    const late = await execute(scene, web.url, { prompt: edit }, { policy: { timeoutMs: 500 } });
    expect(late).toMatchObject({ status: 'failed', error: { code: 'clone_failed' } });
    expect(late.error?.message).toContain('clone_timeout_seconds');
    const ending = new AbortController();
    const calls = web.authorizations.length;
    const running = execute(scene, web.url, { prompt: edit }, { signal: ending.signal });
    await until('it is asked', () => web.authorizations.length > calls);
    ending.abort('cancelled');
    expect(await running).toEqual({ status: 'cancelled' });
    expect(await clonesOf(scene)).toEqual([]);
  });
});
