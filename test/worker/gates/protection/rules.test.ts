// The protected files and parts of files, and the changes that weaken them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  gateConfigurationKind,
  isTestFile,
  scriptFilesIn,
} from '../../../../src/worker/gates/protection/gate-configuration.ts';
import { isNamedByGlob } from '../../../../src/worker/gates/protection/glob.ts';
import { tamperedEntries } from '../../../../src/worker/gates/protection/lockfile.ts';
import { changedParts } from '../../../../src/worker/gates/protection/pinned-parts.ts';
import { findSuppressions } from '../../../../src/worker/gates/protection/suppressions.ts';

describe('tests and configuration', () => {
  test.each([
    'a.test.ts',
    'src/a.spec.js',
    'test/a/b.txt',
    'pkg/tests/x.py',
    'src/__tests__/a.js',
    'a_test.go',
    'test_a.py',
    'x/conftest.py',
    'x/__snapshots__/a.snap',
    'Test/A.java',
  ])('%s is a test', (path) => {
    expect(isTestFile(path)).toBe(true);
  });
  test.each(['src/a.ts', 'contest.py', 'testing.md', 'src/latest/a.js', 'attest.go'])('%s is none', (path) => {
    expect(isTestFile(path)).toBe(false);
  });
  test.each([
    'tsconfig.json',
    'tsconfig.build.json',
    'packages/a/vitest.config.ts',
    '.eslintrc.json',
    'eslint.config.js',
    '.npmrc',
    '.nvmrc',
    '.node-version',
    '.tool-versions',
    '.cargo/config.toml',
    'pytest.ini',
    'Makefile',
    '.github/workflows/ci.yml',
    'pytest.py',
    'node_modules/a/index.js',
    '.mocharc.yml',
  ])('%s configures gates', (path) => {
    expect(gateConfigurationKind(path)).toBeDefined();
  });
  test.each(['src/vitest.ts', 'config.json', 'docs/Makefile.md'])('%s does not', (path) => {
    expect(gateConfigurationKind(path)).toBeUndefined();
  });
  test('files that commands name are pinned, sources are not', () => {
    const tracked = new Set(['scripts/test.sh', 'src/cli.js', 'build.mjs']);
    expect(scriptFilesIn(['sh ./scripts/test.sh && node build.mjs', 'node src/cli.js'], tracked)).toEqual([
      'scripts/test.sh',
      'build.mjs',
    ]);
  });
});

describe('globs', () => {
  test.each([
    ['src/**', 'src/a/b.ts', true],
    ['src/**', 'other/src/a.ts', false],
    ['**/*.sql', 'a/b/c.sql', true],
    ['**/*.sql', 'c.sql', true],
    ['*.sql', 'a/c.sql', true],
    ['/a.sql', 'b/a.sql', false],
    ['docs', 'docs/a/b.md', true],
    ['docs/', 'docs/a.md', true],
    ['src/{a,b}.ts', 'src/b.ts', true],
    ['src/?.ts', 'src/ab.ts', false],
    ['./src/*.ts', 'src/ab.ts', true],
  ])('%s names %s: %s', (glob, path, expected) => {
    expect(isNamedByGlob(path, glob)).toBe(expected);
  });

  test('every path names itself, and no glob takes long', () => {
    const part = fc.stringMatching(/^[a-z.]{1,8}$/).filter((one) => !/^\.+$/.test(one));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
        const path = parts.join('/');
        expect(isNamedByGlob(path, `/${path}`)).toBe(true);
        expect(isNamedByGlob(path, '**')).toBe(true);
      }),
    );
    expect(isNamedByGlob('a'.repeat(4000), `${'*a'.repeat(500)}b`)).toBe(false);
    expect(isNamedByGlob('a/'.repeat(2000), `${'**/'.repeat(500)}b`)).toBe(false);
    expect(isNamedByGlob('x', '{a,b}'.repeat(100))).toBe(false);
  });
});

describe('parts of manifests', () => {
  const parts = (before: object, after: object): string[] =>
    changedParts('package.json', JSON.stringify(before), JSON.stringify(after));

  test('a changed, removed or wrapped script is found; a new one is welcome', () => {
    const before = { scripts: { test: 'a', lint: 'b' }, dependencies: { x: '1' } };
    expect(parts(before, { scripts: { test: 'a', lint: 'b', start: 'c' }, dependencies: { x: '2', y: '1' } })).toEqual(
      [],
    );
    expect(parts(before, { scripts: { test: 'exit 0', lint: 'b' } })).toEqual(['scripts.test']);
    expect(parts(before, { scripts: { test: 'a' } })).toEqual(['scripts.lint']);
    expect(parts(before, { scripts: { test: 'a', lint: 'b', posttest: 'c' } })).toEqual(['scripts.posttest']);
    expect(parts(before, { scripts: { test: 'a', lint: 'b', prepare: 'c' } })).toEqual(['scripts.prepare']);
    expect(parts(before, { ...before, jest: { testMatch: [] } })).toEqual(['jest']);
    expect(changedParts('package.json', JSON.stringify(before), '{ broken')).not.toEqual([]);
  });

  test('tables of tools in TOML are found, dependencies are free', () => {
    const before = '[project]\ndependencies = ["a"]\n[tool.pytest.ini_options]\naddopts = "-x"\n';
    const changed = (after: string): string[] => changedParts('pyproject.toml', before, after);
    expect(changed(before.replace('"a"', '"a", "b"'))).toEqual([]);
    expect(changed(before.replace('-x', '--co'))).toEqual(['tool.pytest.ini_options']);
    expect(changed(`${before}[tool."mypy"]\nignore_errors = true\n`)).toEqual(['tool.mypy']);
    expect(changed(`tool.ruff.lint.select = []\n${before}`)).toEqual(['tool.ruff.lint.select']);
    expect(
      changedParts('Cargo.toml', '[dependencies]\na = "1"\n', '[dependencies]\na = "2"\n[lib]\ntest = false\n'),
    ).toEqual(['lib']);
    expect(changedParts('go.mod', 'module a\n', 'module a\nreplace b => ./fake\n')).toEqual(['lines']);
    expect(changedParts('pom.xml', '<project/>', '<project>\n<skipTests>true</skipTests>\n')).toEqual(['lines']);
  });
});

describe('lockfiles', () => {
  const cargo = (checksum: string, version = '1.0.0'): string =>
    `[[package]]\nname = "a"\nversion = "${version}"\nsource = "registry+x"\nchecksum = "${checksum}"\n`;
  const yarn = (hash: string): string =>
    `a@^1:\n  version "1.0.0"\n  resolved "https://r/a.tgz#${hash}"\n  integrity sha512-${hash}\n\nb@^1:\n  version "1"\n  integrity x\n`;
  const pnpm = (hash: string): string =>
    `packages:\n\n  a@1.0.0:\n    resolution: {integrity: sha512-${hash}}\n\n  b@1.0.0:\n    resolution: {integrity: x}\n`;

  test.each([
    ['Cargo.lock', cargo('aa'), cargo('bb'), 1],
    ['Cargo.lock', cargo('aa'), cargo('bb', '1.0.1'), 0],
    ['yarn.lock', yarn('aa'), yarn('bb'), 1],
    ['pnpm-lock.yaml', pnpm('aa'), pnpm('bb'), 1],
    ['go.sum', 'a v1.0.0 h1:a\n', 'a v1.0.0 h1:b\n', 1],
    ['go.sum', 'a v1.0.0 h1:a\n', 'a v1.0.0 h1:a\na v1.1.0 h1:b\n', 0],
  ])('%s: %#', (path, before, after, found) => {
    expect(tamperedEntries(path, before, after)).toHaveLength(found);
    expect(tamperedEntries(path, before, before)).toEqual([]);
  });
});

describe('suppressions', () => {
  const diff = (...lines: string[]): string =>
    ['diff --git a/x.ts b/x.ts', '--- a/x.ts', '+++ b/x.ts', '@@ -1,2 +10,3 @@', ...lines].join('\n');

  test.each([
    "it.only('a'",
    "describe.skip('b'",
    'xit("c"',
    'test(n, { skip: true }',
    't.Skip()',
    '@pytest.mark.skip',
    '#[ignore]',
    'npm test || true',
    '// eslint-disable-next-line',
    '// @ts-expect-error',
    'x = 1  # type: ignore',
    'y # noqa',
    'jest --passWithNoTests',
  ])('%s', (line) => {
    expect(findSuppressions(diff(' kept', `+${line}`))).toEqual([`x.ts:11 ${line}`]);
    expect(findSuppressions(diff(`-${line}`, ` ${line}`))).toEqual([]);
  });

  test.each(['const skipped = 1;', 'a || b', 'transmit(x)', 'fit.parameters'])('not %s', (line) => {
    expect(findSuppressions(diff(`+${line}`))).toEqual([]);
  });
});
