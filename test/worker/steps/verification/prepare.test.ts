// Prepare at the base: what it finds, what it runs, and what it refuses. Set-up with its cache, flaky gates, other machines.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openGatedStory, sumProject } from '../../../support/worker/gated-story.ts';
import { buildStep, openTestContext } from '../../../support/worker/step-fixture.ts';
import { openBaselineStore } from '../../../../src/worker/gates/baseline-store.ts';
import { runPrepare } from '../../../../src/worker/steps/verification/prepare.ts';

const failing = { ...sumProject, 'src/sum.mjs': 'export const sum = (a, b) => a - b;\n' };
const gate = {
  id: 'test',
  command: 'npm test',
  script: null,
  source: 'declared',
  required: true,
  timeout_seconds: null,
  network: null,
} as const;

describe('prepare', () => {
  test('finds the gates, pins them and runs them at the base, and each check once [runs-8.6]', async () => {
    await using story = await openGatedStory();
    const checks = [
      { story_id: 'US-001', criterion: 0, command: 'test -f src/product.mjs' },
      { story_id: 'US-002', criterion: null, command: 'test -f src/sum.mjs' },
    ];
    const result = await story.prepare({ checks });
    expect(result).toMatchObject({
      kind: 'prepare',
      base_commit: story.base,
      branch_exists: false,
      dirty: false,
      gates: [{ id: 'test', command: 'npm test', script: 'test: node --test', source: 'detected', required: true }],
      setup: [],
      baseline: [{ gate_id: 'test', passed: true, counts: { passed: 2, failed: 0, skipped: 0 } }],
      checks_before: [
        { ...checks[0], passed: false },
        { ...checks[1], passed: true },
      ],
    });
    expect(Object.keys(result.hashes)).toEqual(['package.json']);
  });

  test('reports a red gate at the base [runs-10.4]', async () => {
    await using story = await openGatedStory(failing);
    expect((await story.prepare()).baseline).toMatchObject([{ passed: false, counts: { failed: 2 } }]);
  });

  test('says which gate of tests shows no number of them', async () => {
    const scripts = { test: 'node test/run.mjs', typecheck: 'node --check src/sum.mjs' };
    const manifest = JSON.stringify({ name: 'sum', type: 'module', scripts });
    await using story = await openGatedStory({ ...sumProject, 'package.json': manifest, 'test/run.mjs': '' });
    const { notes } = await story.prepare();
    expect(notes.filter((note) => note.includes('tests'))).toEqual([
      'The output of npm test shows no number of tests.',
    ]);
  });

  test('keeps uncommitted changes out of the run, and says that there are some', async () => {
    await using story = await openGatedStory();
    await story.fixture.write('src/sum.mjs', failing['src/sum.mjs']);
    expect(await story.prepare()).toMatchObject({ dirty: true, baseline: [{ passed: true }] });
    await story.fixture.git('checkout', '--quiet', 'src/sum.mjs');
    await story.fixture.write('new.txt', 'new');
    expect(await story.prepare({ gates: [] })).toMatchObject({ dirty: true, gates: [], baseline: [] });
  });

  test('runs nothing where the branch is there, and starts from its tip where the run continues it [runs-6.1.19]', async () => {
    await using story = await openGatedStory();
    const tip = await story.candidate({ 'src/more.mjs': '' });
    await story.fixture.git('branch', 'ralph/test', tip);
    expect(await story.prepare()).toMatchObject({
      branch_exists: true,
      base_commit: story.base,
      baseline: [],
      gates: [],
    });
    expect(await story.prepare({ branch_policy: 'continue' })).toMatchObject({
      branch_exists: true,
      base_commit: tip,
      baseline: [{ passed: true }],
    });
  });

  test.each(['nowhere', '--help', 'HEAD:package.json'])('fails with base_not_found for the base %s', async (base) => {
    await using story = await openGatedStory();
    await expect(story.prepare({ base })).rejects.toMatchObject({ code: 'base_not_found' });
  });

  test('starts a clone of the worker from its origin', async () => {
    await using story = await openGatedStory();
    const [tip, other] = [await story.candidate({ 'a.txt': 'a' }), await story.candidate({ 'b.txt': 'b' })];
    await story.fixture.git('update-ref', 'refs/remotes/origin/next', other);
    const origin = { url: 'https://origin.invalid/x', commit: tip, note: '', push: undefined };
    for (const [base, commit] of [
      ['', tip],
      ['next', other],
      [story.base, story.base],
    ]) {
      const step = buildStep({ kind: 'prepare', gates: [], setup: [], base: base ?? '' });
      await using context = await openTestContext(story.fixture, step);
      expect(await runPrepare({ ...context, origin })).toMatchObject({ base_commit: commit, dirty: false });
    }
  });

  test('is refused by a worker that runs no gates', async () => {
    await using story = await openGatedStory();
    await using context = await openTestContext(
      story.fixture,
      buildStep({ kind: 'prepare', gates: null, setup: null }),
    );
    const gates = { ...context.gates, mode: 'off' } as const;
    await expect(runPrepare({ ...context, gates })).rejects.toMatchObject({ code: 'gates_off' });
  });
});

/** A project whose gate needs what set-up makes, from a lockfile of its own. */
const project = {
  'package.json': JSON.stringify({ name: 'x', type: 'module', scripts: { test: 'node test/run.mjs' } }),
  'package-lock.json': JSON.stringify({
    lockfileVersion: 3,
    packages: {
      'node_modules/a': { version: '1.0.0', resolved: 'https://registry.invalid/a.tgz', integrity: 'sha512-a' },
    },
  }),
  '.gitignore': 'node_modules\n',
  'test/run.mjs': "import a from '../node_modules/a/index.js';\nif (a !== 1) process.exit(1);\n",
};
const setup = [
  'mkdir -p node_modules/a && echo "export default 1;" > node_modules/a/index.js && echo "{\\"type\\":\\"module\\"}" > node_modules/a/package.json && echo ran >> "$HOME/log" && cat "$HOME/log"',
];

function lockWith(entry: Record<string, string>): string {
  return JSON.stringify({
    lockfileVersion: 3,
    packages: {
      'node_modules/a': {
        version: '1.0.0',
        resolved: 'https://registry.invalid/a.tgz',
        integrity: 'sha512-a',
        ...entry,
      },
    },
  });
}

describe('set-up', () => {
  test('runs once for a lockfile; later trees get copies that no candidate has touched', async () => {
    await using story = await openGatedStory(project);
    const { events } = story.fixture;
    const result = await story.check({ 'src/new.mjs': '' }, { setup });
    expect(result).toMatchObject({ verdict: 'ok' });
    const ran = events.filter((event) => event.type === 'progress' && event.message?.startsWith('Set-up:') === true);
    expect(ran).toHaveLength(1);
    expect(await readdir(join(story.fixture.stateDir, 'dependencies'))).toHaveLength(1);
  });

  test('by npm itself, found by its lockfile, gives each tree the package', async () => {
    const dependencies = { local: 'file:local' };
    const manifest = { name: 'x', version: '1.0.0', type: 'module', dependencies };
    await using story = await openGatedStory({
      'package.json': JSON.stringify({ ...manifest, scripts: { test: 'node test/run.mjs' } }),
      'package-lock.json': JSON.stringify({
        name: 'x',
        version: '1.0.0',
        lockfileVersion: 3,
        packages: {
          '': { name: 'x', version: '1.0.0', dependencies },
          local: { version: '1.0.0' },
          'node_modules/local': { resolved: 'local', link: true },
        },
      }),
      '.gitignore': 'node_modules\n',
      'local/package.json': JSON.stringify({ name: 'local', version: '1.0.0', type: 'module', main: 'index.js' }),
      'local/index.js': 'export default 1;\n',
      'test/run.mjs': "import one from 'local';\nif (one !== 1) process.exit(1);\n",
    });
    expect(await story.prepare()).toMatchObject({ setup: ['npm ci'], baseline: [{ passed: true }] });
    expect(await story.check({ 'src/new.mjs': '' })).toMatchObject({ verdict: 'ok' });
    expect(await story.check({ 'local/index.js': 'export default 2;\n' })).toMatchObject({ code: 'gate_failed' });
  });

  test('that fails is setup_failed with the command and its last lines', async () => {
    await using story = await openGatedStory(project);
    const broken = story.prepare({ setup: ['echo no registry >&2; exit 7'] });
    await expect(broken).rejects.toMatchObject({
      code: 'setup_failed',
      message: expect.stringMatching(/exit 7\nno registry/),
    });
    expect(await readdir(join(story.fixture.stateDir, 'runs'))).toEqual([]);
  });

  test('that says much keeps its first lines as well: npm tells the reason, and then its usage', async () => {
    await using story = await openGatedStory(project);
    const usage = 'for n in $(seq 1000); do echo "usage line $n"; done';
    const broken = story.prepare({ setup: [`echo the lock file is stale; ${usage}; exit 1`] });
    await expect(broken).rejects.toMatchObject({
      message: expect.stringMatching(/: exit 1\nthe lock file is stale\n[\s\S]*…[\s\S]*usage line 1000\n$/),
    });
  });

  test('that is missing shows as a red gate', async () => {
    await using story = await openGatedStory(project);
    expect((await story.prepare({ setup: [] })).baseline).toMatchObject([{ passed: false }]);
  });

  test('is never taken from what a candidate patched while its gates ran', async () => {
    await using story = await openGatedStory(project);
    const patch =
      "import { writeFileSync } from 'node:fs';\nwriteFileSync(new URL('../node_modules/a/index.js', import.meta.url), 'export default 2;');\n";
    const changes = { 'src/patch.mjs': patch, 'test/patch.test.mjs': '' };
    const gates = [
      {
        ...gate,
        command: "npm test && node -e \"require('fs').existsSync('src/patch.mjs') && import('./src/patch.mjs')\"",
      },
    ];
    const result = await story.check(changes, { setup, gates });
    expect(result).toMatchObject({ verdict: 'rejected', code: 'files_changed' });
    expect(await story.check({ 'src/fine.mjs': '' }, { setup, gates })).toMatchObject({ verdict: 'ok' });
  });

  test('follows a lockfile that changed as it may, in the candidate alone', async () => {
    await using story = await openGatedStory(project);
    const added = JSON.stringify({
      lockfileVersion: 3,
      packages: { ...JSON.parse(lockWith({})).packages, 'node_modules/b': { version: '1.0.0' } },
    });
    const fails = ['grep -q node_modules/b package-lock.json && exit 9; ' + setup[0]];
    expect(await story.check({ 'package-lock.json': added }, { setup })).toMatchObject({ verdict: 'ok' });
    const result = await story.check({ 'package-lock.json': added }, { setup: fails });
    expect(result).toMatchObject({
      verdict: 'rejected',
      code: 'gate_failed',
      results: [{ gate_id: 'setup', exit_code: 9 }],
    });
    expect(await readdir(join(story.fixture.stateDir, 'dependencies'))).toHaveLength(2);
  });

  test.each([
    ['another integrity', { integrity: 'sha512-b' }],
    ['another address', { resolved: 'https://evil.invalid/a.tgz' }],
    ['a folder instead of the registry', { version: '1.0.1', resolved: 'file:./fake' }],
  ])('rejects a lockfile entry with %s', async (_, entry) => {
    await using story = await openGatedStory(project);
    expect(await story.check({ 'package-lock.json': lockWith(entry) }, { setup })).toMatchObject({
      code: 'gate_changed',
      protected: [{ path: 'package-lock.json', verdict: 'gate_changed' }],
    });
  });

  test('does not follow a folder of the candidate that became a link', async () => {
    await using story = await openGatedStory({ ...project, 'packages/a/x.txt': 'x' });
    const inPackage = [...setup, 'mkdir -p packages/a/node_modules && echo planted > packages/a/node_modules/f'];
    const outside = join(story.fixture.root, 'home');
    await story.check({ 'packages/a': { link: outside } }, { setup: inPackage });
    expect(await readdir(outside)).toEqual([]);
  });
});

describe('a gate that fails', () => {
  test('is run once more: flaky where it passes then [runs-10.5]', async () => {
    await using story = await openGatedStory();
    const flaky = [{ ...gate, command: 'test -f seen || { touch seen; exit 1; }' }];
    const result = await story.check({ 'a.txt': 'a' }, { gates: flaky });
    expect(result).toMatchObject({ verdict: 'ok', results: [{ passed: true, flaky: true }] });
  });

  test('at its time limit is not run again', async () => {
    await using story = await openGatedStory();
    const hangs = [{ ...gate, command: 'test -f hang && sleep 1000; true', timeout_seconds: 1 }];
    const result = await story.check({ hang: '' }, { gates: hangs });
    expect(result).toMatchObject({
      code: 'gate_failed',
      results: [{ timed_out: true, exit_code: null, passed: false }],
    });
  });

  test('and is not required rejects nothing, by fewer tests neither [runs-10.15]', async () => {
    await using story = await openGatedStory();
    const advisory = [{ ...gate, command: 'exit 3', required: false }];
    const result = await story.check({ 'a.txt': 'a' }, { gates: advisory });
    expect(result).toMatchObject({ verdict: 'ok', results: [{ passed: false, exit_code: 3 }] });
    const counting = [{ ...gate, command: 'npm test', required: false }];
    const quits = { 'src/sum.mjs': 'export const sum = () => 0;\nprocess.exit(0);\n' };
    expect(await story.check(quits, { gates: counting })).toMatchObject({ verdict: 'ok', fewer_tests: null });
  });

  test('on this machine alone is reported as such [runs-10.13]', async () => {
    await using story = await openGatedStory();
    const gates = [{ ...gate, command: 'exit 3' }];
    const home = {
      gate_id: 'test',
      criterion: null,
      command: 'exit 3',
      exit_code: 0,
      passed: true,
      flaky: false,
      timed_out: false,
      seconds: 1,
      tail: '',
    };
    const result = await story.check({ 'a.txt': 'a' }, { gates, baseline: [home] });
    expect(result).toMatchObject({ verdict: 'rejected', code: 'gate_failed', environment_differs: ['test'] });
    const key = { commit: story.base, command: 'exit 3', setup: [] };
    const store = openBaselineStore(story.fixture.stateDir);
    expect(await store.find(key)).toBe(false);
    // The machine is mended: the candidate's own fault counts then, although the store still says otherwise.
    const own = [{ ...gate, command: 'test ! -f a.txt' }];
    const mended = { commit: story.base, command: 'test ! -f a.txt', setup: [] };
    await store.keep(mended, false);
    const ofCommand = { ...home, command: 'test ! -f a.txt' };
    const counted = await story.check({ 'a.txt': 'a' }, { gates: own, baseline: [ofCommand] });
    expect(counted).toMatchObject({ verdict: 'rejected', environment_differs: [] });
  });
});
