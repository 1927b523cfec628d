// Gates and set-up of a package.json: its scripts, and the package manager of its lockfile.
import { z } from 'zod';
import type { CommitFiles } from '../repository-files.ts';

/** A gate before its script is looked up. */
export interface GateSketch {
  readonly id: string;
  readonly command: string;
}

type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** Scripts that are gates, in the order in which they run. */
const gateScripts = ['typecheck', 'tsc', 'lint', 'test', 'build'];
const managers = ['npm', 'pnpm', 'yarn', 'bun'] as const;
const lockfiles: readonly (readonly [string, PackageManager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];

function isPlaceholder(script: string): boolean {
  return script.includes('no test specified');
}

export function packageGates(scripts: Readonly<Record<string, string>>, manager: PackageManager): GateSketch[] {
  const found = gateScripts.filter((name) => scripts[name] !== undefined && !isPlaceholder(scripts[name]));
  // Both names of one check.
  const chosen = found.filter((name) => name !== 'tsc' || !found.includes('typecheck'));
  return chosen.map((id) => ({
    id,
    command: id === 'test' && manager !== 'bun' ? `${manager} test` : `${manager} run ${id}`,
  }));
}

export async function detectManager(files: CommitFiles): Promise<PackageManager> {
  const locked = lockfiles.find(([name]) => files.entries.has(name))?.[1];
  if (locked !== undefined) return locked;
  const named = /"packageManager"\s*:\s*"(\w+)@/.exec((await files.read('package.json')) ?? '')?.[1];
  return managers.find((manager) => manager === named) ?? 'npm';
}

const dependencies = z.record(z.string(), z.unknown()).catch({});
const manifestShape = z.object({
  dependencies,
  devDependencies: dependencies,
  optionalDependencies: dependencies,
  workspaces: z.unknown().optional(),
});

function needsInstall(manifest: string): boolean {
  try {
    const found = manifestShape.safeParse(JSON.parse(manifest)).data;
    if (found === undefined) return false;
    const { workspaces, ...lists } = found;
    return workspaces !== undefined || Object.values(lists).some((list) => Object.keys(list).length > 0);
  } catch {
    return false;
  }
}

/** Without a lockfile there is something to install only where a dependency is named. */
export async function managerSetup(files: CommitFiles, manager: PackageManager, manifest: string): Promise<string[]> {
  const isLocked = lockfiles.some(([name, owner]) => owner === manager && files.entries.has(name));
  if (!isLocked) return needsInstall(manifest) ? [`${manager} install`] : [];
  if (manager === 'npm') return ['npm ci'];
  if (manager === 'pnpm') return ['pnpm i --frozen-lockfile'];
  if (manager === 'bun') return ['bun install --frozen-lockfile'];
  // Yarn 1 writes this line, and knows no `--immutable`.
  const isClassic = ((await files.read('yarn.lock')) ?? '').includes('# yarn lockfile v1');
  return [isClassic ? 'yarn install --frozen-lockfile' : 'yarn install --immutable'];
}

/** The script that a command runs, with its pre and post hooks; null: the command names none. */
export function scriptText(command: string, scripts: Readonly<Record<string, string>>): string | null {
  const words = command.trim().split(/\s+/);
  const manager = managers.find((one) => one === words[0]);
  const rest = words.slice(1).filter((word) => !word.startsWith('-'));
  const name = rest[0] === 'run' || rest[0] === 'run-script' ? rest[1] : rest[0] === 't' ? 'test' : rest[0];
  if (manager === undefined || name === undefined || scripts[name] === undefined) return null;
  const parts = [`pre${name}`, name, `post${name}`].filter((part) => scripts[part] !== undefined);
  return parts
    .map((part) => `${part}: ${scripts[part]}`)
    .join('\n')
    .slice(0, 64_000);
}
