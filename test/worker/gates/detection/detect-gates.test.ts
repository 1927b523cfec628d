// Gates and set-up found in repositories of each kind.
import { describe, expect, test } from 'vitest';
import { detectGates, pinScripts } from '../../../../src/worker/gates/detection/detect-gates.ts';
import type { CommitFiles } from '../../../../src/worker/gates/repository-files.ts';

function commitOf(files: Readonly<Record<string, string>>): CommitFiles {
  const entries = new Map(Object.keys(files).map((path) => [path, { mode: '100644', id: '' }]));
  return { entries, read: (path) => Promise.resolve(files[path]) };
}

const scripts = (all: Record<string, string>, more = {}): string => JSON.stringify({ scripts: all, ...more });
const four = { build: 'b', test: 't', lint: 'l', typecheck: 'c', start: 's' };

const kinds: [string, Record<string, string>, Record<string, string>, string[]][] = [
  [
    'npm',
    { 'package.json': scripts(four), 'package-lock.json': '{}' },
    { typecheck: 'npm run typecheck', lint: 'npm run lint', test: 'npm test', build: 'npm run build' },
    ['npm ci'],
  ],
  [
    'pnpm',
    { 'package.json': scripts({ test: 't', tsc: 'c' }), 'pnpm-lock.yaml': '' },
    { tsc: 'pnpm run tsc', test: 'pnpm test' },
    ['pnpm i --frozen-lockfile'],
  ],
  [
    'yarn',
    { 'package.json': scripts({ test: 't' }), 'yarn.lock': '__metadata:' },
    { test: 'yarn test' },
    ['yarn install --immutable'],
  ],
  [
    'yarn 1',
    { 'package.json': scripts({ test: 't' }), 'yarn.lock': '# yarn lockfile v1' },
    { test: 'yarn test' },
    ['yarn install --frozen-lockfile'],
  ],
  ['no lockfile and no dependency', { 'package.json': scripts({ test: 't' }) }, { test: 'npm test' }, []],
  [
    'no lockfile',
    { 'package.json': scripts({ test: 't' }, { devDependencies: { a: '1' } }) },
    { test: 'npm test' },
    ['npm install'],
  ],
  [
    'the placeholder of npm',
    { 'package.json': scripts({ test: 'echo "Error: no test specified" && exit 1' }) },
    {},
    [],
  ],
  ['a broken manifest', { 'package.json': '{' }, {}, []],
  [
    'Rust',
    { 'Cargo.toml': '', 'Cargo.lock': '' },
    { fmt: 'cargo fmt --check', clippy: 'cargo clippy --all-targets', test: 'cargo test' },
    ['cargo fetch --locked'],
  ],
  ['Go', { 'go.mod': '', 'go.sum': '' }, { vet: 'go vet ./...', test: 'go test ./...' }, ['go mod download']],
  [
    'uv',
    { 'pyproject.toml': '[tool.ruff]\n[tool.mypy]\n[tool.pytest.ini_options]\n', 'uv.lock': '' },
    { ruff: 'uv run --frozen ruff check .', mypy: 'uv run --frozen mypy .', pytest: 'uv run --frozen pytest' },
    ['uv sync --frozen'],
  ],
  [
    'pip',
    { 'requirements.txt': 'pytest', 'tests/test_a.py': '' },
    { pytest: '.venv/bin/python -m pytest' },
    ['python3 -m venv .venv', '.venv/bin/python -m pip install -r requirements.txt'],
  ],
  ['Gradle', { 'build.gradle.kts': '', gradlew: '' }, { test: './gradlew test' }, []],
  [
    'Make',
    { Makefile: 'check: lint\n\ttrue\nlint:\n\ttrue\ntesting:\n' },
    { check: 'make check', lint: 'make lint' },
    [],
  ],
  ['just', { justfile: 'test arg="x":\n  true\n' }, { test: 'just test' }, []],
  [
    'two languages',
    { 'package.json': scripts({ test: 't' }), 'go.mod': '', Makefile: 'test:\n' },
    { test: 'npm test', vet: 'go vet ./...', 'go-test': 'go test ./...' },
    [],
  ],
  ['nothing', { 'README.md': '' }, {}, []],
];

describe('detection', () => {
  test.each(kinds)('%s', async (_, files, gates, setup) => {
    const found = await detectGates(commitOf(files));
    expect(Object.fromEntries(found.gates.map(({ id, command }) => [id, command]))).toEqual(gates);
    expect(found.setup).toEqual(setup);
    expect(found.gates.every(({ source, required }) => source === 'detected' && required)).toBe(true);
  });

  test('tells the script behind a command, with its hooks', async () => {
    const files = commitOf({ 'package.json': scripts({ pretest: 'a', test: 'b', posttest: 'c', lint: 'd' }) });
    const gate = { source: 'declared', required: true, timeout_seconds: null, network: null, script: null } as const;
    const declared = ['npm test -- sum', 'npm run -s lint', 'yarn lint', 'make x', 'npm run none'].map((command) => ({
      ...gate,
      id: command,
      command,
    }));
    expect((await pinScripts(declared, files)).map(({ script }) => script)).toEqual([
      'pretest: a\ntest: b\nposttest: c',
      'lint: d',
      'lint: d',
      null,
      null,
    ]);
  });
});
