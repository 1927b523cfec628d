// Gates and set-up of Rust, Go, Python, Java, and of Makefiles.
import type { GateSketch } from './package-gates.ts';
import { isTestFile } from '../protection/gate-configuration.ts';
import type { CommitFiles } from '../repository-files.ts';

interface LanguageGates {
  readonly gates: readonly (GateSketch & { readonly tool: string })[];
  readonly setup: readonly string[];
}

function gate(tool: string, id: string, command: string): GateSketch & { tool: string } {
  return { tool, id, command };
}

const none: LanguageGates = { gates: [], setup: [] };

function rust({ entries }: CommitFiles): LanguageGates {
  if (!entries.has('Cargo.toml')) return none;
  const locked = entries.has('Cargo.lock') ? ' --locked' : '';
  return {
    gates: [
      gate('cargo', 'fmt', 'cargo fmt --check'),
      gate('cargo', 'clippy', 'cargo clippy --all-targets'),
      gate('cargo', 'test', 'cargo test'),
    ],
    setup: [`cargo fetch${locked}`],
  };
}

function go({ entries }: CommitFiles): LanguageGates {
  if (!entries.has('go.mod')) return none;
  return {
    gates: [gate('go', 'vet', 'go vet ./...'), gate('go', 'test', 'go test ./...')],
    setup: entries.has('go.sum') ? ['go mod download'] : [],
  };
}

async function python(files: CommitFiles): Promise<LanguageGates> {
  const { entries } = files;
  const project = await files.read('pyproject.toml');
  const requirements = entries.has('requirements.txt');
  if (project === undefined && !requirements) return none;
  const usesUv = entries.has('uv.lock');
  const has = (tool: string, ...names: string[]): boolean =>
    names.some((name) => entries.has(name)) || new RegExp(`^\\[tool\\.${tool}\\b`, 'm').test(project ?? '');
  const run = usesUv ? 'uv run --frozen ' : requirements ? '.venv/bin/python -m ' : 'python3 -m ';
  const tests = [...entries.keys()].some((path) => path.endsWith('.py') && isTestFile(path));
  return {
    gates: [
      ...(has('ruff', 'ruff.toml', '.ruff.toml') ? [gate('python', 'ruff', `${run}ruff check .`)] : []),
      ...(has('mypy', 'mypy.ini', '.mypy.ini') ? [gate('python', 'mypy', `${run}mypy .`)] : []),
      ...(tests || has('pytest', 'pytest.ini') ? [gate('python', 'pytest', `${run}pytest`)] : []),
    ],
    // The system's own packages are read-only for set-up, so they go into the folder.
    setup: usesUv
      ? ['uv sync --frozen']
      : requirements
        ? ['python3 -m venv .venv', '.venv/bin/python -m pip install -r requirements.txt']
        : [],
  };
}

function java({ entries }: CommitFiles): LanguageGates {
  if (entries.has('pom.xml')) {
    const maven = entries.has('mvnw') ? './mvnw' : 'mvn';
    const offline = '-Dmaven.repo.local=.m2/repository';
    const setup = `${maven} -B -q ${offline} dependency:go-offline`;
    return { gates: [gate('maven', 'test', `${maven} -B ${offline} test`)], setup: [setup] };
  }
  if (!entries.has('build.gradle') && !entries.has('build.gradle.kts')) return none;
  return { gates: [gate('gradle', 'test', entries.has('gradlew') ? './gradlew test' : 'gradle test')], setup: [] };
}

const targets = ['check', 'lint', 'test'];

function hasRecipe(text: string | undefined, target: string): boolean {
  return new RegExp(`^${target}\\b[^:\\n]*:(?!=)`, 'm').test(text ?? '');
}

async function make(files: CommitFiles): Promise<LanguageGates> {
  const makefile = (await files.read('Makefile')) ?? (await files.read('makefile'));
  const justfile = (await files.read('justfile')) ?? (await files.read('Justfile'));
  const found = targets.flatMap((target) => {
    if (hasRecipe(makefile, target)) return [gate('make', target, `make ${target}`)];
    return hasRecipe(justfile, target) ? [gate('make', target, `just ${target}`)] : [];
  });
  return { gates: found, setup: [] };
}

export async function languageGates(files: CommitFiles): Promise<LanguageGates> {
  const all = [rust(files), go(files), await python(files), java(files), await make(files)];
  return { gates: all.flatMap(({ gates }) => gates), setup: all.flatMap(({ setup }) => setup) };
}
