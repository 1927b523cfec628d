// Patches: what git writes is read whole, what nobody should write is read as far as it goes.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unquotePath } from '../../../ui/src/text/patch/git-path.ts';
import { parsePatch } from '../../../ui/src/text/patch/patch.ts';
import { blockLines, blocksOf, lineOf, sideLines } from '../../../ui/src/text/patch/patch-units.ts';

const patch = `diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,4 @@ function f()
 one
-two
+TWO
+--- a/no header
 three
@@ -10 +11,0 @@
-gone
\\ No newline at end of file
`;

/** A patch of git for the changes that a function makes in a folder with two commits. */
function gitPatch(before: (folder: string) => void, after: (folder: string) => void): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'patch-'));
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.test', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  try {
    git('init', '-q');
    before(folder);
    git('add', '-A');
    git('commit', '-qm', 'one', '--allow-empty');
    after(folder);
    git('add', '-A');
    return git('diff', '--cached', '-M');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('a patch', () => {
  it('is read with its numbers, signs and hunks [ui-5.2.1]', () => {
    const [file, ...none] = parsePatch(patch);
    expect(none).toEqual([]);
    expect(file).toMatchObject({ path: 'src/a.ts', status: 'modified', added: 2, removed: 2, isBinary: false });
    expect(file?.hunks.map(({ content, changes }) => [content, changes.length])).toEqual([
      ['function f()', 5],
      ['', 1],
    ]);
    expect(file === undefined ? [] : sideLines(file, 'new')).toEqual([
      { line: 1, text: 'one' },
      { line: 2, text: 'TWO' },
      { line: 3, text: '--- a/no header' },
      { line: 4, text: 'three' },
    ]);
  });

  it('of git is read for added, deleted, renamed, binary, mode-only and oddly named files [ui-5.2.1]', () => {
    const odd = 'a "quoted" ü\nname\t.txt';
    const text = gitPatch(
      (folder) => {
        for (const name of ['mode.sh', 'gone.txt', 'with space.txt', 'old name.txt'])
          writeFileSync(path.join(folder, name), `${name}\n1\n2\n3\n4\n5\n`);
        writeFileSync(path.join(folder, 'bin'), Buffer.from([0, 1, 2]));
      },
      (folder) => {
        chmodSync(path.join(folder, 'mode.sh'), 0o755);
        rmSync(path.join(folder, 'gone.txt'));
        writeFileSync(path.join(folder, 'with space.txt'), 'x\n');
        writeFileSync(path.join(folder, 'bin'), Buffer.from([0, 9]));
        mkdirSync(path.join(folder, 'dir'));
        renameSync(path.join(folder, 'old name.txt'), path.join(folder, 'dir/new name.txt'));
        writeFileSync(path.join(folder, odd), 'odd\n');
        writeFileSync(path.join(folder, 'empty'), '');
      },
    );
    const files = new Map(parsePatch(text).map((file) => [file.path, file]));
    expect([...files.keys()].toSorted()).toEqual(
      [odd, 'bin', 'dir/new name.txt', 'empty', 'gone.txt', 'mode.sh', 'with space.txt'].toSorted(),
    );
    expect(files.get('mode.sh')).toMatchObject({ oldMode: '100644', newMode: '100755', added: 0, hunks: [] });
    expect(files.get('gone.txt')).toMatchObject({ status: 'deleted', removed: 6 });
    expect(files.get('with space.txt')).toMatchObject({ status: 'modified', added: 1, removed: 6 });
    expect(files.get('bin')).toMatchObject({ isBinary: true, hunks: [] });
    expect(files.get('dir/new name.txt')).toMatchObject({ status: 'renamed', oldPath: 'old name.txt' });
    expect(files.get(odd)).toMatchObject({ status: 'added', added: 1 });
    expect(files.get('empty')).toMatchObject({ status: 'added', added: 0 });
  });

  it('that is hostile or cut off is read as far as it goes, without controls [ui-5.2.1]', () => {
    expect(parsePatch('diff --git a/x b/x\n@@@ -1 -1 +1 @@@\n+x')).toMatchObject([{ path: 'x', hunks: [] }]);
    expect(parsePatch('diff --git a/x b/x\n@@ -1,9 +1,9 @@\n\u202Ea\n+\u202Eb\n+\u001B[8mc\n')[0]?.added).toBe(2);
    const shown = parsePatch('diff --git a/x b/x\n@@ -0,0 +1,2 @@\n+\u202Eb\n+\u001B[8mc\n')[0];
    expect(shown?.hunks[0]?.changes.map(({ content }) => content)).toEqual(['⟨202E⟩b', '⟨001B⟩[8mc']);
    const parts = fc.constantFrom(
      'diff --git ',
      'a/x',
      ' b/x',
      '\n',
      '@@ -1,2 +1 @@',
      '@@',
      '+',
      '-',
      ' ',
      '\\ No',
      '--- ',
      '+++ ',
      'Binary files ',
      '"',
      '\\3',
      'rename to ',
      '\u0000',
      'text',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 40 }), (words) => {
        for (const file of parsePatch(`diff --git a/x b/x\n${words.join('')}`)) expect(blocksOf(file)).toBeDefined();
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('blocks of a patch', () => {
  it('have at most 50 lines and hold every line once, in order [ui-5.2.3]', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(' ', '+', '-'), { minLength: 1, maxLength: 400 }), (signs) => {
        const lines = signs.map((sign, index) => `${sign}${String(index)}`);
        const [old, fresh] = [signs.filter((sign) => sign !== '+').length, signs.filter((sign) => sign !== '-').length];
        const file = parsePatch(
          `diff --git a/x b/x\n@@ -1,${String(old)} +1,${String(fresh)} @@\n${lines.join('\n')}\n`,
        )[0];
        const blocks = file === undefined ? [] : blocksOf(file);
        expect(blocks.every(({ hunk }) => hunk.changes.length <= blockLines)).toBe(true);
        expect(blocks.flatMap(({ hunk }) => hunk.changes.map(({ content }) => content))).toEqual(
          signs.map((_, index) => String(index)),
        );
        expect(blocks.filter(({ isFirst }) => isFirst)).toHaveLength(1);
      }),
      { numRuns: 500 },
    );
  });

  it('leave a run of changed lines whole where it fits [ui-5.2.3]', () => {
    const lines = [
      ...Array.from({ length: 45 }, () => ' x'),
      ...Array.from({ length: 10 }, () => '-y'),
      ...Array.from({ length: 10 }, () => '+z'),
    ];
    const file = parsePatch(`diff --git a/x b/x\n@@ -1,55 +1,55 @@\n${lines.join('\n')}\n`)[0];
    expect(file === undefined ? [] : blocksOf(file).map(({ hunk }) => hunk.changes.length)).toEqual([45, 20]);
  });
});

it('gives the number of a line by its side', () => {
  expect(lineOf({ type: 'normal', content: '', oldLineNumber: 3, newLineNumber: 4, isNormal: true }, 'new')).toBe(4);
  expect(lineOf({ type: 'delete', content: '', lineNumber: 7, isDelete: true }, 'new')).toBe(7);
});

it('reads the quotes of git [ui-5.2.1]', () => {
  expect(unquotePath(String.raw`"a/\303\274 \"x\"\n"`)).toBe('a/ü "x"\n');
  expect(unquotePath('plain')).toBe('plain');
});
