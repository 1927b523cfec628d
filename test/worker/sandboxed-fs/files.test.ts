// Agents' file tools stay in their workspace, whatever path they are given and whatever links lie in it.
import { link, mkdir, mkdtemp, readFile, readdir, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSandboxedFiles, type SandboxedFiles } from '../../../src/worker/sandboxed-fs/files.ts';
import { PathRefused } from '../../../src/worker/sandboxed-fs/path-refused.ts';

const secret = 'the secret outside';

interface SandboxFixture extends AsyncDisposable {
  root: string;
  outside: string;
  files: SandboxedFiles;
  /** The content outside, to be compared. */
  seenOutside(): Promise<string>;
}

async function openSandboxFixture(): Promise<SandboxFixture> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'switchyard-confined-')));
  const [root, outside] = [join(top, 'place'), join(top, 'outside')];
  await mkdir(join(root, '.git/hooks'), { recursive: true });
  await mkdir(join(root, 'a/b'), { recursive: true });
  await mkdir(join(root, '.own'));
  await mkdir(outside);
  await writeFile(join(outside, 'secret.txt'), secret);
  await writeFile(join(root, '.git/config'), secret);
  await writeFile(join(root, '.own/key'), secret);
  await writeFile(join(root, 'a/file.txt'), 'inside');
  const links: [string, string][] = [
    ['../outside', 'out'],
    ['../../outside/secret.txt', 'a/out-file'],
    [outside, 'a/b/out-absolute'],
    ['.git', 'git-link'],
    ['.git/config', 'config-link'],
    ['.own', 'own-link'],
    ['loop', 'loop'],
    ['a', 'in'],
    ['../file.txt', 'a/b/in-file'],
    [join(root, 'a'), 'in-absolute'],
    ['..', 'a/up'],
    ['/proc/self/root', 'proc'],
    ['nowhere', 'dangling'],
  ];
  for (const [target, at] of links) await symlink(target, join(root, at));
  await promisify(execFile)('mkfifo', [join(root, 'pipe')]);
  return {
    root,
    outside,
    files: createSandboxedFiles(root, [join(root, '.own')]),
    async seenOutside() {
      const folders = [top, outside, ...['.git', '.git/hooks', '.own'].map((name) => join(root, name))];
      const shown = await Promise.all(folders.map((folder) => readdir(folder)));
      const texts = [join(outside, 'secret.txt'), join(root, '.git/config'), join(root, '.own/key')];
      const contents = await Promise.all(texts.map((file) => readFile(file, 'utf8')));
      return JSON.stringify([shown, contents]);
    },
    [Symbol.asyncDispose]: () => rm(top, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Paths made of what could lead out. */
function anyPath(root: string): fc.Arbitrary<string> {
  const names = ['..', '.', '', 'a', 'b', 'out', 'out-file', 'out-absolute', 'in', 'in-absolute', 'up', 'proc', 'loop'];
  const more = ['.git', '.GIT', '.git ', 'git-link', 'config', 'config-link', '.own', 'own-link', 'key', 'secret.txt'];
  const rest = ['file.txt', 'in-file', 'dangling', 'new', 'outside', 'place', 'etc', 'passwd', 'pipe', 'hooks', 'x\0y'];
  const part = fc.constantFrom(...names, ...more, ...rest);
  const start = fc.constantFrom('', '', '', '/', `${root}/`, `${dirname(root)}/`, '../', './', '/proc/self/cwd/');
  return fc.tuple(start, fc.array(part, { maxLength: 6 })).map(([first, parts]) => first + parts.join('/'));
}

describe('the files of a workspace', () => {
  test.each(['/', '/proc', '/proc/self', '/dev', '/run'])(
    'are never those of the system or of the worker, with a workspace of %s',
    async (root) => {
      const files = createSandboxedFiles(root, ['/etc/hostname']);
      for (const path of ['proc/self/environ', '/proc/self/environ', 'etc/hostname', 'dev/null', 'run', '/sys']) {
        await expect(files.readText(path)).rejects.toThrow(PathRefused);
        await expect(files.list(path)).rejects.toThrow(PathRefused);
      }
    },
  );

  test('are none where the workspace itself is the worker’s own', async () => {
    await using place = await openSandboxFixture();
    const files = createSandboxedFiles(place.outside, [place.outside]);
    await expect(files.readText('secret.txt')).rejects.toThrow(PathRefused);
    await expect(files.list('.')).rejects.toThrow(PathRefused);
  });

  test('are all that any path reaches, to read, list, write, move or delete', async () => {
    await using place = await openSandboxFixture();
    const { files, root } = place;
    const before = await place.seenOutside();
    const path = anyPath(root);
    const verb = fc.constantFrom('read', 'list', 'write', 'move', 'remove' as const);
    await fc.assert(
      fc.asyncProperty(verb, path, path, async (what, one, other) => {
        try {
          if (what === 'read') expect(await files.readText(one)).not.toContain(secret);
          else if (what === 'write') await files.writeText(one, 'written');
          else if (what === 'move') await files.move(one, other);
          else if (what === 'remove') await files.remove(one);
          else {
            const listed = (await files.list(one)).map((entry) => entry.path);
            // A folder of that name elsewhere is the agent's own making.
            expect(listed.filter((at) => /\.git$|^\.own$|^\.\.|^\//.test(at))).toEqual([]);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(PathRefused);
        }
      }),
      { numRuns: 1_000, endOnFailure: true },
    );
    expect(await place.seenOutside()).toBe(before);
  });

  test('are reached through links that stay inside', async () => {
    await using place = await openSandboxFixture();
    const { files, root } = place;
    for (const path of [
      'in/file.txt',
      'a/b/in-file',
      'in-absolute/file.txt',
      `${root}/a/../in/./file.txt`,
      'a/up/a/file.txt',
    ]) {
      expect(await files.readText(path)).toBe('inside');
    }
    expect(await files.writeText('in/file.txt', 'changed')).toBe('changed');
    expect(await readFile(join(root, 'a/file.txt'), 'utf8')).toBe('changed');
    expect(await files.writeText('in/new/deep.txt', 'deep')).toBe('created');
    expect(await readFile(join(root, 'a/new/deep.txt'), 'utf8')).toBe('deep');
    await files.remove('in');
    expect((await stat(join(root, 'a'))).isDirectory()).toBe(true);
  });

  test('are never written through a hard link, and pipes are not waited for', async () => {
    await using place = await openSandboxFixture();
    const { files, root, outside } = place;
    await link(join(outside, 'secret.txt'), join(root, 'hard'));
    await files.writeText('hard', 'mine');
    expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe(secret);
    await expect(files.readText('pipe')).rejects.toThrow(PathRefused);
    await expect(files.writeText('pipe', 'x')).rejects.toThrow(PathRefused);
    await expect(files.readText('a')).rejects.toThrow(PathRefused);
  });

  test('keep their mode, are not overwritten by a move, and leave nothing half written behind', async () => {
    await using place = await openSandboxFixture();
    const { files, root } = place;
    await writeFile(join(root, 'run.sh'), '#!/bin/sh\n', { mode: 0o755 });
    await files.writeText('run.sh', '#!/bin/sh\necho\n');
    expect((await stat(join(root, 'run.sh'))).mode & 0o777).toBe(0o755);
    await expect(files.move('run.sh', 'a/file.txt')).rejects.toThrow('exists already');
    await expect(files.remove('a')).rejects.toThrow('not empty');
    await expect(files.move('a', 'a/b/c')).rejects.toThrow(PathRefused);
    const deep = createSandboxedFiles(root, [join(root, 'a/b/own')]);
    await expect(deep.move('a', 'z')).rejects.toThrow(PathRefused);
    await files.move('run.sh', 'bin/run.sh');
    expect((await files.list('.')).map((entry) => entry.path)).not.toContain('run.sh');
    expect((await readdir(root)).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  test('are not left when a folder is swapped for a link while they are used', async () => {
    await using place = await openSandboxFixture();
    const { files, root, outside } = place;
    const swap = `while :; do mv a x; ln -s ${outside} a; rm a; mv x a; done`;
    const controller = new AbortController();
    const swapping = promisify(execFile)('sh', ['-c', swap], { cwd: root, signal: controller.signal }).catch(
      () => undefined,
    );
    try {
      for (let n = 0; n < 150; n += 1) {
        await files.writeText('a/planted.txt', 'planted').catch(() => undefined);
        const text = await files.readText('a/secret.txt').catch(() => '');
        expect(text).not.toContain(secret);
      }
    } finally {
      controller.abort();
      await swapping;
    }
    expect(await readdir(outside)).toEqual(['secret.txt']);
  });
});
