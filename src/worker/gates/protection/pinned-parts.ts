// The parts of a manifest that configure gates, as texts to compare: scripts, tables of tools, replaced dependencies.
import { posix } from 'node:path';
import { z } from 'zod';

const manifest = z.record(z.string(), z.unknown());
const scripts = z.record(z.string(), z.string()).catch({});

const packageKeys = (
  'jest mocha ava tap vitest nyc c8 babel eslintConfig eslintIgnore prettier stylelint ' +
  'packageManager volta overrides resolutions pnpm type workspaces imports'
).split(' ');
/** Scripts that the package manager runs by itself. */
const lifecycle = /^(pre|post)?(install|prepare|prepublish|pack|publish|dependencies)$/;
const pinnedTables = [
  /^tool$/,
  /^tool\.(pytest|ruff|mypy|coverage|tox|pyright|black|flake8|pylint|isort|hatch\.envs|poe|nox)(\.|$)/,
  /^(pytest|build-system)(\.|$)/,
  /^(lib|test|bench|lints|workspace\.lints|profile|patch|replace)(\.|$)/,
];
const testLines =
  /skip|ignoreFailures|testFailureIgnore|failIfNoTests|surefire|failsafe|enabled\s*=\s*false|onlyIf|exclude/i;

function readJson(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return manifest.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The scripts of a `package.json`; empty where it cannot be read. */
export function scriptsOf(text: string | undefined): Readonly<Record<string, string>> {
  return scripts.parse(readJson(text ?? '')?.['scripts']);
}

function packageParts(text: string): Map<string, string> {
  const read = readJson(text);
  if (read === undefined) return new Map([['unreadable', text]]);
  return new Map([
    ...packageKeys.filter((key) => key in read).map((key): [string, string] => [key, JSON.stringify(read[key])]),
    ...Object.entries(scriptsOf(text)).map(([name, script]): [string, string] => [`scripts.${name}`, script]),
  ]);
}

/** The tables of a TOML document by name, without comments; keys before the first table count as tables. */
function tomlParts(text: string): Map<string, string> {
  const parts = new Map<string, string>();
  let table = '';
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    const header = /^\[\[?([^\]]+)\]\]?/.exec(line)?.[1];
    if (header !== undefined) table = header.replaceAll(/["'\s]/g, '');
    const key = /^["']?([\w.-]+)["']?\s*=/.exec(line)?.[1];
    const name = table === '' ? (key ?? '') : table;
    if (line === '' || line.startsWith('#') || !pinnedTables.some((pattern) => pattern.test(name))) continue;
    parts.set(name, `${parts.get(name) ?? ''}${line}\n`);
  }
  return parts;
}

function linesWith(text: string, pattern: RegExp): Map<string, string> {
  const lines = text.split('\n').filter((line) => pattern.test(line));
  return new Map(lines.length === 0 ? [] : [['lines', lines.map((line) => line.trim()).join('\n')]]);
}

/** The pinned parts of a file, by name. */
export function pinnedParts(path: string, text: string): Map<string, string> {
  const name = posix.basename(path);
  if (name === 'package.json') return packageParts(text);
  if (name.endsWith('.toml')) return tomlParts(text);
  return linesWith(text, name === 'go.mod' ? /^\s*(replace\b|.*=>)/ : testLines);
}

/**
 * Names of parts that were changed, removed, or added where an addition alters what pinned commands do. A new script
 * is welcome unless the package manager runs it by itself or around a script that is there.
 */
export function changedParts(path: string, before: string | undefined, after: string | undefined): string[] {
  const [old, now] = [pinnedParts(path, before ?? '{}'), pinnedParts(path, after ?? '{}')];
  const changed = [...old].filter(([name, text]) => now.get(name) !== text).map(([name]) => name);
  const added = [...now.keys()].filter((name) => !old.has(name));
  return [...changed, ...added.filter((name) => !isHarmlessAddition(name, old, before === undefined))];
}

function isHarmlessAddition(name: string, old: ReadonlyMap<string, string>, isNewFile: boolean): boolean {
  if (isNewFile) return true;
  const script = /^scripts\.(.*)$/s.exec(name)?.[1];
  if (script === undefined) return name === 'type' || name === 'imports';
  if (lifecycle.test(script)) return false;
  const around = /^(?:pre|post)(.+)$/s.exec(script)?.[1];
  return around === undefined || !old.has(`scripts.${around}`);
}
