// Finds the files of a repository that decide what a gate runs and demands: tests, and the configuration of gates. runs-10.
import { posix } from 'node:path';

/** `ci` does not run here; all others decide what a gate on this machine does. */
export type GateConfigurationKind = 'runner' | 'lint' | 'types' | 'ci';

const testFolders = new Set(['test', 'tests', '__tests__', '__snapshots__']);
const testNames = [/\.(test|spec)\.[^/]+$/, /_test\.(go|py)$/, /^test_.*\.py$/, /^conftest\.py$/, /\.snap$/];

/** Whether a path is a test, or belongs to tests: fixtures, helpers, snapshots. */
export function isTestFile(path: string): boolean {
  const parts = path.toLowerCase().split('/');
  const name = parts.pop() ?? '';
  return parts.some((part) => testFolders.has(part)) || testNames.some((pattern) => pattern.test(name));
}

/** A test that a runner loads as code: unlike fixtures, no test rewrites it. */
export function isTestCode(path: string): boolean {
  return isTestFile(path) && /\.([cm]?[jt]sx?|py|go|rs|java|kt|rb|snap)$/i.test(path);
}

const byName: readonly (readonly [GateConfigurationKind, RegExp])[] = [
  ['runner', /^(vitest|vite|jest|ava|karma|playwright|cypress|babel|rollup|wdio)\.(config|conf|workspace|setup)\..+$/],
  ['runner', /^(\.mocharc|\.nycrc|\.c8rc|\.babelrc|\.taprc|\.swcrc)(\..+)?$/],
  ['runner', /^(\.npmrc|\.yarnrc(\.yml)?|\.pnpmfile\.c?js|pnpm-workspace\.yaml|bunfig\.toml|deno\.jsonc?)$/],
  ['runner', /^(\.node-version|\.nvmrc|\.tool-versions|\.?mise\.toml|\.python-version|rust-toolchain(\.toml)?)$/],
  ['runner', /^(pytest\.ini|\.pytest\.ini|tox\.ini|noxfile\.py|setup\.cfg|\.coveragerc|go\.work)$/],
  ['runner', /^((GNUm|m|M)akefile|\.?justfile|Justfile|Taskfile\.ya?ml|gradlew|mvnw|gradle\.properties)$/],
  // They take the place of a runner where Python looks for modules first.
  ['runner', /^(sitecustomize|usercustomize|pytest|unittest|mypy|ruff)\.py$/],
  ['lint', /^(\.eslintrc|\.prettierrc|\.stylelintrc|\.oxlintrc|\.markdownlint)(\..+)?$/],
  ['lint', /^(eslint|prettier|stylelint|oxlint|oxfmt)\.config\..+$/],
  ['lint', /^(\.eslintignore|\.prettierignore|biome\.jsonc?|\.?ruff\.toml|\.flake8|\.pylintrc|\.rubocop\.yml)$/],
  ['lint', /^(\.?clippy\.toml|\.?rustfmt\.toml|\.golangci\.(ya?ml|toml|json))$/],
  ['types', /^(tsconfig(\..+)?\.json|jsconfig\.json|\.?mypy\.ini|pyrightconfig\.json)$/],
  ['ci', /^(\.gitlab-ci\.yml|azure-pipelines\.yml|Jenkinsfile|\.pre-commit-config\.yaml|lefthook\.ya?ml)$/],
];
const byPath: readonly (readonly [GateConfigurationKind, RegExp])[] = [
  ['runner', /(^|\/)\.cargo\/config(\.toml)?$/],
  ['runner', /(^|\/)(\.mvn|gradle\/wrapper)\//],
  ['runner', /^(_?pytest|unittest|mypy|ruff)\//],
  // Committed dependencies would stand where set-up installs them.
  ['runner', /(^|\/)node_modules\//],
  ['ci', /(^|\/)(\.github|\.circleci|\.husky)\//],
];

/** @returns undefined for a file that configures no gate, or that does so in parts alone (`package.json`) */
export function gateConfigurationKind(path: string): GateConfigurationKind | undefined {
  const name = posix.basename(path);
  return byPath.find(([, pattern]) => pattern.test(path))?.[0] ?? byName.find(([, pattern]) => pattern.test(name))?.[0];
}

/** Files of which a part configures gates. */
export function isPartlyConfiguration(path: string): boolean {
  return /(^|\/)(package\.json|pyproject\.toml|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(\.kts)?)$/.test(path);
}

/** Lockfiles, and manifests that are installed from without one. */
export function isDependencyLock(path: string): boolean {
  return /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|Cargo\.lock|go\.sum|go\.mod|uv\.lock|poetry\.lock|requirements[^/]*\.txt)$/.test(
    path,
  );
}

/** Files of the repository that commands name, such as `scripts/test.sh`; the product's own sources are not among them. */
export function scriptFilesIn(commands: readonly string[], tracked: ReadonlySet<string>): string[] {
  const words = commands.flatMap((command) => command.split(/[\s;&|()<>"'`=]+/));
  const paths = words.map((word) => posix.normalize(word)).filter((path) => tracked.has(path));
  return [...new Set(paths)].filter((path) => !/^(src|lib|app|source)\//.test(path) && !isTestFile(path));
}
