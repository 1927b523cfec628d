// A candidate passes by its gates alone: what every cheat of an agent meets. Real git, bubblewrap and node:test.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openGatedStory, sumProject, type FileChanges, type GatedStory } from '../../../support/worker/gated-story.ts';
import { readUserState } from '../../../support/worker/step-fixture.ts';

const goodTest = [
  "import { test } from 'node:test';",
  "import assert from 'node:assert/strict';",
  "import { product } from '../src/product.mjs';",
  "test('multiplies', () => assert.equal(product(2, 3), 6));",
  '',
].join('\n');
const good = { 'src/product.mjs': 'export const product = (a, b) => a * b;\n', 'test/product.test.mjs': goodTest };
const wrongSum = 'export const sum = (a, b) => a - b;\n';

/** One base for all candidates: what each needs of it is prepared once. */
let story: GatedStory;
beforeAll(async () => {
  story = await openGatedStory();
});
afterAll(() => story[Symbol.asyncDispose]());

describe('a candidate', () => {
  test('whose gates are green gets its commit, on its base, and the user notices nothing', async () => {
    await using own = await openGatedStory();
    const before = await readUserState(own.fixture);
    const result = await own.check(good);
    expect(result).toMatchObject({ kind: 'check', verdict: 'ok', code: null, no_change: false, protected: [] });
    expect(result.results).toMatchObject([
      {
        gate_id: 'test',
        command: 'npm test',
        exit_code: 0,
        passed: true,
        flaky: false,
        counts: { passed: 3, failed: 0, skipped: 0 },
      },
    ]);
    const shown = await own.fixture.git('log', '-1', '--format=%P%n%T%n%B', result.commit ?? '');
    expect(shown).toContain(`${own.base}\n${result.tree}\nfeat: US-001`);
    expect(shown).toContain('Switchyard-Gates: test=pass');
    const after = await readUserState(own.fixture);
    delete after['.git/ORIG_HEAD'];
    delete after['.git/logs/HEAD'];
    delete before['.git/logs/HEAD'];
    delete after['.git/logs/refs/heads/main'];
    delete before['.git/logs/refs/heads/main'];
    delete after['.git/index'];
    delete before['.git/index'];
    expect(Object.keys(after)).toEqual(Object.keys(before));
  });

  test('that fails a gate is rejected with the end of the output', async () => {
    const result = await story.check({ 'src/sum.mjs': wrongSum });
    expect(result).toMatchObject({ verdict: 'rejected', code: 'gate_failed', commit: null, environment_differs: [] });
    expect(result.results[0]).toMatchObject({
      passed: false,
      exit_code: 1,
      counts: { passed: 0, failed: 2, skipped: 0 },
    });
    expect(result.results[0]?.tail).toContain('adds negatives');
    expect(result.results[0]?.tail).toMatch(/[ ('"]test\/sum\.test\.mjs:\d/);
    expect(result.results[0]?.tail).not.toContain(story.fixture.stateDir);
  });

  test('without a change passes by its checks alone [runs-10.10]', async () => {
    const checks = [{ story_id: 'US-001', criterion: 0, command: 'test -f src/sum.mjs' }];
    expect(await story.check({}, { checks })).toMatchObject({ no_change: true, verdict: 'ok', commit: null });
    const open = [{ story_id: 'US-001', criterion: 0, command: 'test -f src/product.mjs' }];
    const result = await story.check({}, { checks: open });
    expect(result).toMatchObject({ no_change: true, verdict: 'rejected', code: 'no_change' });
    expect(result.results.at(-1)).toMatchObject({ gate_id: null, criterion: 0, passed: false, before: 'failed' });
  });

  test('fails by a check of a criterion, and reports the outcome of the check before', async () => {
    const checks = [{ story_id: 'US-001', criterion: 1, command: 'grep -q product src/product.mjs' }];
    expect((await story.check(good, { checks })).results.at(-1)).toMatchObject({ passed: true, before: 'failed' });
    const result = await story.check({ 'src/product.mjs': 'export {};\n' }, { checks });
    expect(result).toMatchObject({ verdict: 'rejected', code: 'check_failed', commit: null });
  });
});

const skipped = (sumProject['test/sum.test.mjs'] ?? '').replaceAll('test(', 'test.skip(');
const cheats: [string, FileChanges, string, string][] = [
  [
    'edits the test',
    { 'src/sum.mjs': wrongSum, 'test/sum.test.mjs': "import 'node:test';\nimport '../src/sum.mjs';\n" },
    'tests_changed',
    'test/sum.test.mjs',
  ],
  [
    'deletes the test',
    { 'src/sum.mjs': wrongSum, 'test/sum.test.mjs': null, ...good },
    'tests_changed',
    'test/sum.test.mjs',
  ],
  ['skips the test', { 'src/sum.mjs': wrongSum, 'test/sum.test.mjs': skipped }, 'tests_changed', 'test/sum.test.mjs'],
  [
    'links the folder of tests elsewhere',
    { 'src/sum.mjs': wrongSum, 'other/a.txt': '', test: { link: 'other' } },
    'tests_changed',
    'test/sum.test.mjs',
  ],
  [
    'changes the script',
    { 'package.json': '{"name":"sum","type":"module","scripts":{"test":"exit 0"}}' },
    'gate_changed',
    'package.json',
  ],
  [
    'adds a hook before the script',
    { 'package.json': (sumProject['package.json'] ?? '').replace('"test"', '"pretest": "rm -r test", "test"') },
    'gate_changed',
    'package.json',
  ],
  ['adds a runner configuration', { '.npmrc': 'script-shell=/bin/true\n' }, 'gate_changed', '.npmrc'],
  ['commits a dependency', { 'node_modules/x/index.js': '' }, 'gate_changed', 'node_modules/x/index.js'],
];

describe('a candidate that cheats', () => {
  test.each(cheats)('%s: is rejected [runs-10.6, runs-10.7]', async (_, changes, code, path) => {
    const result = await story.check(changes);
    expect(result).toMatchObject({ verdict: 'rejected', code, commit: null });
    expect(result.protected).toContainEqual(expect.objectContaining({ path, verdict: code }));
    if (code === 'tests_changed') {
      expect(result.failing_base_tests).toEqual(expect.arrayContaining(['adds', 'adds negatives']));
      expect(result.protected_diff).toContain('sum.test.mjs');
    }
  });

  test('ends the process in its source: fewer tests are executed [runs-10.8]', async () => {
    const result = await story.check({ 'src/sum.mjs': 'export const sum = () => 0;\nprocess.exit(0);\n' });
    expect(result).toMatchObject({ verdict: 'rejected', code: 'fewer_tests', fewer_tests: { before: 2, now: 0 } });
  });

  test('replaces the assertions in its source: they are frozen', async () => {
    const patch = [
      "import { createRequire, syncBuiltinESMExports } from 'node:module';",
      'const require = createRequire(import.meta.url);',
      "for (const name of ['node:assert', 'node:assert/strict'])",
      '  try { require(name).equal = () => undefined; } catch {}',
      'syncBuiltinESMExports();',
      'export const sum = () => 0;',
      '',
    ].join('\n');
    const result = await story.check({ 'src/sum.mjs': patch });
    expect(result).toMatchObject({ verdict: 'rejected', code: 'gate_failed' });
  });

  test('rewrites the tests while the gates run, and restores them', async () => {
    const rewrite = [
      "import { readFileSync, writeFileSync } from 'node:fs';",
      "const file = new URL('../test/sum.test.mjs', import.meta.url);",
      'const text = readFileSync(file);',
      "writeFileSync(file, '');",
      'writeFileSync(file, text);',
      'export const sum = (a, b) => a + b;',
      '',
    ].join('\n');
    const result = await story.check({ 'src/sum.mjs': rewrite });
    expect(result).toMatchObject({ verdict: 'rejected', code: 'files_changed', commit: null });
    expect(result.suppressions.join('\n')).toContain('test/sum.test.mjs');
  });

  test('leaves a background process that rewrites files: it ends with its gate [runs-10.3]', async () => {
    const daemon = [
      "import { spawn } from 'node:child_process';",
      "const loop = 'while :; do echo x >> marker.txt; echo >> test/sum.test.mjs; sleep 0.05; done';",
      "spawn('setsid', ['sh', '-c', loop], { detached: true, stdio: 'ignore', env: {} }).unref();",
      'export const sum = (a, b) => a + b;',
      '',
    ].join('\n');
    const result = await story.check({ 'src/sum.mjs': daemon });
    expect(result).toMatchObject({ verdict: 'rejected' });
    expect(['files_changed', 'gate_failed']).toContain(result.code);
  });

  test('plants files where git would run or read them: the repository of the user is unchanged', async () => {
    await using own = await openGatedStory();
    const { repo } = own.fixture;
    const planted = [
      "import { execSync } from 'node:child_process';",
      `const to = ${JSON.stringify(repo)};`,
      "const plant = (command) => { try { execSync(command, { stdio: 'ignore' }); } catch {} };",
      'plant(`echo "#!/bin/sh" > ${to}/.git/hooks/post-checkout`);',
      'plant(`git -C ${to} config filter.x.smudge evil`);',
      'plant(`mkdir -p ${to}/.git/info; echo "* filter=x" > ${to}/.git/info/attributes`);',
      "plant('echo evil > .git/hooks/pre-commit');",
      "plant('git config core.fsmonitor ./evil');",
      'export const sum = (a, b) => a + b;',
      '',
    ].join('\n');
    const before = await readUserState(own.fixture);
    const result = await own.check({ 'src/sum.mjs': planted });
    expect(result.verdict).toBe('ok');
    const after = await readUserState(own.fixture);
    for (const name of [
      '.git/config',
      '.git/info/attributes',
      '.git/hooks/post-checkout',
      '.git/HEAD',
      'src/sum.mjs',
    ]) {
      expect(after[name]?.split(' ').at(-1)).toBe(before[name]?.split(' ').at(-1));
    }
  });

  test('replaces git on the path of the repository: nobody runs it', async () => {
    const result = await story.check({
      'bin/git': '#!/bin/sh\ntouch ../ran\n',
      git: '#!/bin/sh\ntouch ran\n',
      ...good,
    });
    expect(result).toMatchObject({ verdict: 'ok' });
  });
});

describe('changed tests', () => {
  const renamed = { 'test/sum.test.mjs': (sumProject['test/sum.test.mjs'] ?? '').replace("'adds'", "'sums up'") };

  test('are accepted and flagged where those of the base are green too [runs-10.7]', async () => {
    const result = await story.check(renamed);
    expect(result).toMatchObject({
      verdict: 'ok',
      protected: [{ path: 'test/sum.test.mjs', change: 'modified', verdict: 'accepted' }],
      failing_base_tests: [],
    });
  });

  const changed = {
    'src/sum.mjs': 'export const sum = (a, b) => a + b + 1;\n',
    'test/sum.test.mjs': (sumProject['test/sum.test.mjs'] ?? '').replace(', 3)', ', 4)').replace(', -3)', ', -2)'),
  };

  test.each([[true], [['test/**']], [['*.test.mjs']]])(
    'are accepted where the story may change them: %j',
    async (allowed) => {
      expect(await story.check(changed, { allow_test_changes: allowed })).toMatchObject({ verdict: 'ok' });
    },
  );

  test('are rejected where the story may change other files', async () => {
    expect(await story.check(changed, { allow_test_changes: ['docs/**'] })).toMatchObject({ code: 'tests_changed' });
  });

  test('that are fewer are rejected unless a deleted file explains it [runs-10.8]', async () => {
    const half = (sumProject['test/sum.test.mjs'] ?? '').split('\n').toSpliced(4, 1).join('\n');
    expect(await story.check({ 'test/sum.test.mjs': half })).toMatchObject({
      code: 'fewer_tests',
      fewer_tests: { before: 2, now: 1 },
    });
    expect(await story.check({ 'test/sum.test.mjs': null })).toMatchObject({ verdict: 'ok' });
  });

  test('with added skips are listed, and rejected where the run is strict [runs-10.9]', async () => {
    const changes = {
      ...good,
      'test/later.test.mjs': "import { test } from 'node:test';\ntest.skip('later', () => {});\n",
    };
    const listed = ["test/later.test.mjs:2 test.skip('later', () => {});"];
    expect(await story.check(changes)).toMatchObject({ verdict: 'ok', suppressions: listed });
    expect(await story.check(changes, { strict: true })).toMatchObject({ code: 'suppressed', suppressions: listed });
  });

  test('of files that the PRD protects are rejected', async () => {
    const result = await story.check(
      { 'src/sum.mjs': 'export const sum = (b, a) => a + b;\n' },
      { protect: ['src/*.mjs'] },
    );
    expect(result).toMatchObject({ code: 'gate_changed', protected: [{ path: 'src/sum.mjs' }] });
  });
});
