// The sources of the pages never make HTML of text, and lint refuses each way to do it.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(root, 'ui', 'planted-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The findings of lint for this line in a page's source. */
async function lint(line: string): Promise<string> {
  const file = path.join(folder, 'planted.tsx');
  await writeFile(file, `// Planted.\nexport function planted(text: string) {\n  ${line}\n}\n`);
  const program = path.join(root, 'node_modules', '.bin', 'oxlint');
  return new Promise((resolve) => {
    execFile(program, [file], { cwd: root }, (_error, stdout) => resolve(stdout));
  });
}

describe('lint of a page’s source', () => {
  it.each([
    ['document.body.innerHTML = text;', 'no-restricted-properties'],
    ['document.body.outerHTML = text;', 'no-restricted-properties'],
    [`document.body.insertAdjacentHTML('beforeend', text);`, 'no-restricted-properties'],
    ['document.write(text);', 'no-restricted-properties'],
    ['return eval(text);', 'no-eval'],
    ['return new Function(text);', 'no-new-func'],
    ['return <p dangerouslySetInnerHTML={{ __html: text }} />;', 'no-danger'],
  ])('refuses %s [ui-7.2]', async (line, rule) => {
    expect(await lint(line)).toContain(rule);
  });

  it('takes text as a node', async () => {
    expect(await lint('return <p>{text}</p>;')).toContain('Found 0 warnings and 0 errors');
  });
});
