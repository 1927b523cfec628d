// Diffs as git and diff -u write them, divided into files; damaged and hostile ones are no harm.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { parseDiff } from '../../../../src/domain/tasks/results/parse-diff.ts';

const folder = mkdtempSync(join(tmpdir(), 'switchyard-diff-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: string[]): Buffer {
  return execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: folder });
}

function write(files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
}

describe('a diff of git', () => {
  git('init', '--quiet');
  const long = Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join('');
  write({ 'changed.txt': long, 'gone.txt': 'x\n', 'old name.txt': long, 'ümlaut "q".txt': 'a\n', 'mode.sh': '#!\n' });
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  write({
    'changed.txt': long.replace('line 3\n', '-- line\n++ more\n').replace('line 25\n', ''),
    'ümlaut "q".txt': 'b\n',
    'new.bin': Buffer.from([0, 1, 2, 0xff]),
    'latin.txt': Buffer.from('caf\u00e9\n', 'latin1'),
    'empty.txt': '',
  });
  git('mv', 'old name.txt', 'new name.txt');
  git('rm', '--quiet', 'gone.txt');
  git('update-index', '--chmod=+x', 'mode.sh');
  git('add', 'changed.txt', 'new.bin', 'latin.txt', 'empty.txt', 'ümlaut "q".txt');
  const bytes = git('diff', '--cached', '--binary', '-M', 'HEAD');
  const files = parseDiff(bytes.toString('latin1'));
  const of = (path: string): (typeof files)[number] | undefined => files.find((file) => file.path === path);

  it('has every file with its status and counts [ui-6.5.2]', () => {
    const numbers = git('diff', '--cached', '--numstat', '-M', '-z', 'HEAD').toString();
    expect(files.map(({ path, status, oldPath }) => [path, status, oldPath])).toEqual(
      expect.arrayContaining([
        ['changed.txt', 'modified', undefined],
        ['empty.txt', 'added', undefined],
        ['gone.txt', 'deleted', undefined],
        ['latin.txt', 'added', undefined],
        ['mode.sh', 'modified', undefined],
        ['new name.txt', 'renamed', 'old name.txt'],
        ['new.bin', 'added', undefined],
        ['ümlaut "q".txt', 'modified', undefined],
      ]),
    );
    expect(files).toHaveLength(8);
    // Lines that begin with two signs are content, not the header of a file.
    expect(of('changed.txt')).toMatchObject({ added: 2, removed: 2 });
    expect(numbers).toContain('2\t2\tchanged.txt');
  });

  it('is put together again from its parts, byte by byte [ui-6.5.5]', () => {
    expect(Buffer.from(files.map(({ patch }) => patch).join(''), 'latin1').equals(bytes)).toBe(true);
  });

  it('has equal hashes for equal hunks alone [ui-6.5.3]', () => {
    const [one, same, other] = ['a', 'b', 'c'].map(
      (name, i) =>
        parseDiff(
          `diff --git a/${name} b/${name}\nindex ${i}..${i + 1}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-x\n+${i === 2 ? 'z' : 'y'}\n`,
        )[0]?.hash,
    );
    expect(one).toBe(same);
    expect(one).not.toBe(other);
  });
});

describe('another diff', () => {
  it('of diff -u has its files too [ui-6.5.5]', () => {
    const text =
      '--- a.txt\t2026-01-01\n+++ a.txt\t2026-01-02\n@@ -1 +1 @@\n--- x\n+++ y\n--- b.txt\n+++ b.txt\n@@ -0,0 +1 @@\n+b\n';
    expect(parseDiff(text)).toMatchObject([
      { path: 'a.txt', added: 1, removed: 1 },
      { path: 'b.txt', added: 1, removed: 0 },
    ]);
  });

  it('that is no diff has no files [ui-6.5.5]', () => {
    for (const text of ['', '\n\n', 'hello', '@@ -1 +1 @@\n-x\n', '--- /dev/null\n+++ /dev/null\n']) {
      expect(parseDiff(text)).toEqual([]);
    }
  });

  it('that is damaged anywhere is divided without a loss [ui-6.5.5]', () => {
    const line = fc.constantFrom(
      'diff --git a/x b/x',
      'diff --git "a/\\303" "b/\\303"',
      'diff --git',
      '--- a/x',
      '+++ b/x',
      '--- /dev/null',
      '@@ -1,9 +1,9 @@',
      '@@ -1 +1 @@',
      '@@ -x',
      'rename from "',
      'GIT binary patch',
      '-x',
      '+x',
      ' x',
      '\\ No newline',
      '',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
        const text = lines.join('\n');
        const parts = parseDiff(text).map(({ patch }) => patch);
        // Parts follow each other in the text and do not overlap.
        let from = 0;
        for (const part of parts) {
          const at = text.indexOf(part, from);
          expect(at).toBeGreaterThanOrEqual(from);
          from = at + part.length;
        }
      }),
    );
  });

  it('with a very long header line is read in bounded time [ui-6.5.5]', () => {
    const hostile = `diff --git a/${'x b/'.repeat(200_000)}\n${'@@ -1,99999999999 +1,99999999999 @@\n'.repeat(1000)}`;
    expect(parseDiff(hostile).length).toBeLessThanOrEqual(1);
  });
});
