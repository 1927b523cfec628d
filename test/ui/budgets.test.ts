// The sizes of the built pages, from the manifest of the build: what is loaded before the first paint, and by each screen.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const folder = path.resolve(import.meta.dirname, '../../dist/ui');
const manifestSchema = z.record(
  z.string(),
  z.object({
    file: z.string(),
    isEntry: z.boolean().optional(),
    imports: z.array(z.string()).default([]),
    dynamicImports: z.array(z.string()).default([]),
    css: z.array(z.string()).default([]),
  }),
);
type Manifest = z.infer<typeof manifestSchema>;

interface Sizes {
  readonly script: number;
  readonly firstLoad: number;
  /** By source file: what opening it loads beyond the first load. */
  readonly screens: ReadonlyMap<string, number>;
}

/** Bytes after gzip, as the service sends them to a browser without brotli. @param sizeOf the size of a file */
function sizesOf(manifest: Manifest, sizeOf: (file: string) => number): Sizes {
  const [entry, chunk] = Object.entries(manifest).find(([, { isEntry }]) => isEntry === true) ?? [];
  if (entry === undefined || chunk === undefined) throw new Error('The build has no entry.');
  const first = chunksOf(manifest, entry);
  const sum = (names: Iterable<string>): number =>
    [...names].reduce((total, name) => total + sizeOf(manifest[name]?.file ?? ''), 0);
  const fonts = Object.values(manifest)
    .map(({ file }) => file)
    .filter((file) => /-latin-wght-.*\.woff2$/.test(file));
  const styles = [...first].flatMap((name) => manifest[name]?.css ?? []);
  const screens = Object.values(manifest)
    .flatMap(({ dynamicImports }) => dynamicImports)
    .map((name): [string, number] => [name, sum(chunksOf(manifest, name).difference(first))]);
  const script = sum(first);
  return {
    script,
    firstLoad: script + [...styles, ...fonts].reduce((total, file) => total + sizeOf(file), 0),
    screens: new Map(screens),
  };
}

/** The chunk and all that it imports. */
function chunksOf(manifest: Manifest, name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const next of manifest[name]?.imports ?? []) chunksOf(manifest, next, found);
  return found;
}

function gzipSize(file: string): number {
  const content = readFileSync(path.join(folder, file));
  return file.endsWith('.woff2') ? content.length : gzipSync(content, { level: 9 }).length;
}

/** Sentences for what is too large. */
function excessesOf({ script, firstLoad, screens }: Sizes): string[] {
  const excess = (what: string, size: number, budget: number): string[] =>
    size <= budget ? [] : [`${what}: ${String(size)} bytes of ${String(budget)}`];
  return [
    ...excess('JavaScript before the first paint', script, 130_000),
    ...excess('the first load', firstLoad, 200_000),
    ...[...screens].flatMap(([name, size]) => excess(name, size, screenBudget)),
  ];
}

const screenBudget = 60_000;
const manifest = manifestSchema.parse(JSON.parse(readFileSync(path.join(folder, '.vite/manifest.json'), 'utf8')));

describe('the built pages', () => {
  it('keep their budgets: first paint, first load, each screen [ui-12.1, ui-12.2, ui-12.3]', () => {
    const sizes = sizesOf(manifest, gzipSize);
    expect(excessesOf(sizes)).toEqual([]);
    expect(sizes.screens.size).toBeGreaterThan(20);
  });

  it('exceed a budget when a chunk grows', () => {
    const screen = 'src/pages/fleet/fleet-page.tsx';
    const grown = (name: string) => (file: string) =>
      gzipSize(file) + (file === manifest[name]?.file ? screenBudget : 0);
    expect(excessesOf(sizesOf(manifest, grown('index.html')))).toHaveLength(2);
    expect(excessesOf(sizesOf(manifest, grown(screen)))).toEqual([expect.stringContaining(screen)]);
  });
});
