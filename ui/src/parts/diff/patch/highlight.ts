// Words of code in colours, by class names: languages are loaded one by one, blocks are done while the browser is idle.
import { markEdits, tokenize, type ChangeData, type HunkData, type HunkTokens, type TokenNode } from 'react-diff-view';
import type { Syntax } from 'refractor/core';
import type { HunkBlock } from '../../../text/patch/patch-units.ts';

type Load = () => Promise<{ readonly default: Syntax }>;

const languages: Readonly<Record<string, Load>> = {
  typescript: () => import('refractor/typescript'),
  tsx: () => import('refractor/tsx'),
  javascript: () => import('refractor/javascript'),
  jsx: () => import('refractor/jsx'),
  json: () => import('refractor/json'),
  css: () => import('refractor/css'),
  markup: () => import('refractor/markup'),
  markdown: () => import('refractor/markdown'),
  python: () => import('refractor/python'),
  go: () => import('refractor/go'),
  rust: () => import('refractor/rust'),
  java: () => import('refractor/java'),
  kotlin: () => import('refractor/kotlin'),
  csharp: () => import('refractor/csharp'),
  c: () => import('refractor/c'),
  cpp: () => import('refractor/cpp'),
  ruby: () => import('refractor/ruby'),
  php: () => import('refractor/php'),
  bash: () => import('refractor/bash'),
  yaml: () => import('refractor/yaml'),
  sql: () => import('refractor/sql'),
};
const endings: Readonly<Record<string, string>> = Object.fromEntries(
  'ts mts cts:typescript tsx:tsx js mjs cjs:javascript jsx:jsx json:json css:css html xml svg vue:markup md:markdown py:python go:go rs:rust java:java kt:kotlin cs:csharp c h:c cc cpp hpp:cpp rb:ruby php:php sh bash:bash yml yaml:yaml sql:sql'
    .split(/(?<=:\w+) /)
    .flatMap((entry) => {
      const [names = '', language = ''] = entry.split(':');
      return names.split(' ').map((name) => [name, language]);
    }),
);
/** Longest line that is coloured: a minified file would hold the browser. */
const longestLine = 1_000;
const kept = new WeakMap<HunkBlock, HunkTokens>();

/** The tokens of a block that were made before. */
export function keptTokens(block: HunkBlock): HunkTokens | undefined {
  return kept.get(block);
}

/** Tokens of a block: words that changed are marked, and coloured where the language of the path is known. */
export async function syntaxTokensOf(
  block: HunkBlock,
  path: string,
  signal: AbortSignal,
): Promise<HunkTokens | undefined> {
  if (block.hunk.changes.some(({ content }) => content.length > longestLine)) return undefined;
  const language = await loadLanguage(path);
  await idle();
  if (signal.aborted) return undefined;
  const { hunk, oldLines, newLines } = renumbered(block.hunk);
  const enhancers = [markEdits([hunk], { type: 'block' })];
  const tokens =
    language === undefined
      ? tokenize([hunk], { enhancers })
      : tokenize([hunk], {
          enhancers,
          highlight: true,
          language: language.name,
          refractor: { highlight: (code: string, name: string) => language.refractor.highlight(code, name).children },
        });
  const placed = { old: atLines(tokens.old, oldLines), new: atLines(tokens.new, newLines) };
  kept.set(block, placed);
  return placed;
}

interface Language {
  readonly name: string;
  readonly refractor: typeof import('refractor/core').refractor;
}

/** Loads the highlighter with the first language that needs it. */
async function loadLanguage(path: string): Promise<Language | undefined> {
  const name = endings[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
  const load = name === undefined ? undefined : languages[name];
  if (name === undefined || load === undefined) return undefined;
  const { refractor } = await import('refractor/core');
  if (!refractor.registered(name)) refractor.register((await load()).default);
  return { name, refractor };
}

async function idle(): Promise<void> {
  await new Promise<void>((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: 1_000 });
    else setTimeout(resolve, 50);
  });
}

/** The hunk with lines from 1: react-diff-view fills all lines before a hunk, 100,000 of them at the end of a long file. */
function renumbered(hunk: HunkData): { hunk: HunkData; oldLines: number[]; newLines: number[] } {
  const oldLines: number[] = [];
  const newLines: number[] = [];
  const changes = hunk.changes.map((change): ChangeData => {
    if (change.type === 'insert') return { ...change, lineNumber: newLines.push(change.lineNumber) };
    if (change.type === 'delete') return { ...change, lineNumber: oldLines.push(change.lineNumber) };
    return {
      ...change,
      oldLineNumber: oldLines.push(change.oldLineNumber),
      newLineNumber: newLines.push(change.newLineNumber),
    };
  });
  return { hunk: { ...hunk, oldStart: 1, newStart: 1, changes }, oldLines, newLines };
}

/** The tokens of each line at the line's own place; the places between stay empty. */
function atLines(tokens: readonly TokenNode[][], lines: readonly number[]): TokenNode[][] {
  const placed: TokenNode[][] = [];
  for (const [index, line] of lines.entries()) placed[line - 1] = tokens[index] ?? [];
  return placed;
}
