// The script that builds the pages, in a small project of its own.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const config = `import path from 'node:path';
export default { root: import.meta.dirname, base: '/v1/monitor/', build: { manifest: true } };
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'switchyard-build-'));
  await mkdir(path.join(folder, 'scripts'));
  await mkdir(path.join(folder, 'ui'));
  await cp(path.join(root, 'scripts', 'ui.ts'), path.join(folder, 'scripts', 'ui.ts'));
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(path.join(folder, 'ui', 'vite.config.ts'), config);
  await writeFile(
    path.join(folder, 'ui', 'index.html'),
    '<!doctype html><script type="module" src="/main.ts"></script>',
  );
  await writeFile(path.join(folder, 'ui', 'main.ts'), `console.log(import.meta.env.VITE_BUILD);`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number;
  readonly err: string;
}

function build(...args: string[]): Promise<Ended> {
  const { NODE_ENV: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, [path.join(folder, 'scripts', 'ui.ts'), ...args], { env }, (error, _out, err) =>
      resolve({ code: error === null ? 0 : 1, err }),
    );
  });
}

const built = (...names: string[]): string => path.join(folder, 'dist', 'ui', ...names);

describe('the build of the pages', () => {
  it('that fails before a start is one line and no failure; asked for by name it fails [ui-11.6]', async () => {
    const before = await build('--if-stale');
    expect(before).toEqual({
      code: 0,
      err: expect.stringMatching(/^The service starts without its pages \(.*vite.*\n$/),
    });
    expect((await build()).code).toBe(1);
    expect(await readdir(path.join(folder, 'dist')).catch(() => [])).toEqual([]);
  });

  it('writes the files with compressed copies and the name of the build, and nothing beside them [ui-11.5]', async () => {
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    expect(await build('--if-stale')).toMatchObject({ code: 0 });
    const [script = ''] = (await readdir(built('assets'))).filter((name) => name.endsWith('.js'));
    const text = await readFile(built('assets', script), 'utf8');
    expect(brotliDecompressSync(await readFile(built('assets', `${script}.br`))).toString()).toBe(text);
    expect(gunzipSync(await readFile(built('assets', `${script}.gz`))).toString()).toBe(text);
    const { build: name } = JSON.parse(await readFile(built('build.json'), 'utf8'));
    expect(name).toMatch(/^[\da-f]{16}$/);
    expect(text).toContain(name);
    expect(await readdir(path.join(folder, 'dist'))).toEqual(['ui']);
  });

  it('does nothing while the inputs are the same, and replaces the folder when one is not [ui-11.5]', async () => {
    const { ino } = await stat(built());
    expect(await build('--if-stale')).toEqual({ code: 0, err: '' });
    expect((await stat(built())).ino).toBe(ino);
    const first = await readFile(built('build.json'), 'utf8');
    await writeFile(path.join(folder, 'ui', 'main.ts'), `console.log('changed');`);
    expect(await build('--if-stale')).toMatchObject({ code: 0 });
    expect(await readFile(built('build.json'), 'utf8')).not.toBe(first);
    // Broken sources leave what was built before.
    await writeFile(path.join(folder, 'ui', 'main.ts'), `import { nothing } from './nothing.ts'; nothing();`);
    expect(await build('--if-stale')).toMatchObject({ code: 0, err: expect.stringContaining('nothing') });
    expect(JSON.parse(await readFile(built('build.json'), 'utf8'))).toEqual({ build: expect.any(String) });
    expect(await readdir(path.join(folder, 'dist'))).toEqual(['ui']);
  });
});
