// makeFolder: creates missing parents, and fails with the path where a folder cannot exist.
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder } from '../../../src/lib/system/make-folder.ts';

let top: string;
beforeAll(async () => {
  top = await mkdtemp(path.join(tmpdir(), 'make-folder-'));
});
afterAll(() => rm(top, { recursive: true, force: true }));

describe('a folder', () => {
  it('is created with its parents and mode, also by several at once and when it exists', async () => {
    // Many rounds: a parent that appears between two system calls is a matter of chance.
    for (let round = 0; round < 100; round += 1) {
      const folder = path.join(top, String(round), 'b', 'c');
      await Promise.all(Array.from({ length: 20 }, () => makeFolder(folder, 0o700)));
      await makeFolder(folder, 0o700);
      for (const made of [folder, path.dirname(folder)]) expect((await stat(made)).mode & 0o777).toBe(0o700);
    }
  });

  it.each([
    ['is a file', '', 'EEXIST'],
    ['is below a file', 'below', 'ENOTDIR'],
  ])('is not made where it %s', async (_, below, code) => {
    const file = path.join(top, 'file');
    await writeFile(file, '');
    await expect(makeFolder(path.join(file, below), 0o700)).rejects.toMatchObject({ code });
  });

  it.runIf(process.platform === 'linux')('is not made where the system takes none, however deep', async () => {
    for (const place of ['/proc/none', '/proc/none/below/it']) {
      await expect(makeFolder(place, 0o700)).rejects.toMatchObject({ code: 'ENOENT' });
    }
  });
});
