// The size of a diff: what git says of it, for any change of real files.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countDiff } from '../../../src/lib/text/count-diff.ts';

it('is the size that git counts, whatever the lines look like [ui-6.2.6]', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'count-diff-'));
  try {
    const line = fc.constantFrom(
      'a',
      '',
      '-- b/x',
      '++ b/x',
      '@@ -1 +1 @@',
      'diff --git a/x b/x',
      '\\ No newline',
      '+',
      '-',
    );
    const content = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));
    await fc.assert(
      fc.asyncProperty(content, content, fc.nat({ max: 3 }), async (before, after, context) => {
        await writeFile(path.join(folder, 'before'), before);
        await writeFile(path.join(folder, 'after'), after);
        const git = (...args: string[]): string => {
          const command = ['diff', '--no-index', '--no-ext-diff', ...args, 'before', 'after'];
          // Its exit code says whether the files differ.
          const script = 'git "$@" || test $? = 1';
          return execFileSync('sh', ['-c', script, 'sh', ...command], { cwd: folder, encoding: 'utf8' });
        };
        const [added = '0', removed = '0'] = git('--numstat').split('\t');
        const files = before === after ? 0 : 1;
        expect(countDiff(git(`-U${context}`))).toEqual({ files, added: Number(added), removed: Number(removed) });
      }),
      { numRuns: 60 },
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('counts files without git headers, and those without hunks', () => {
  const plain = '--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n--- c\n+++ d\n@@ -0,0 +1,2 @@\n+x\n+y\n';
  expect(countDiff(plain)).toEqual({ files: 2, added: 3, removed: 1 });
  const renamed = 'diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n';
  expect(countDiff(renamed)).toEqual({ files: 1, added: 0, removed: 0 });
});

it('counts nothing in text that is no diff', () => {
  for (const text of ['', '\n', '+ a\n- b\n', '@@ no hunk @@\n+x', '+++', 'x'.repeat(1_000_000)]) {
    expect(countDiff(text)).toEqual({ files: 0, added: 0, removed: 0 });
  }
});
