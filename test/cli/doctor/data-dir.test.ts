// A data folder that cannot be used: what a start says of it, and what doctor does.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkDataDir } from '../../../src/cli/doctor/doctor-machine.ts';
import { command } from '../../support/process/cli-io.ts';

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'switchyard-data-dir-'));
  file = path.join(folder, 'file');
  await writeFile(file, '');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a data folder that is a file, or lies below one', () => {
  it.each(['serve', 'up', 'migrate'])('stops `%s` with one line, what to do, and exit code 1', async (word) => {
    for (const place of [file, path.join(file, 'below')]) {
      const { code, err } = await command([word, '--data-dir', place, '--port', '0'], { cwd: folder });
      expect(code).toBe(1);
      expect(err).toMatch(/^error: The data folder .*file\S* cannot be used: .*\n {2}Make it a folder.*\n$/);
    }
  });

  it('is found by doctor, which makes nothing', async () => {
    expect(await checkDataDir(path.join(file, 'below'))).toMatchObject({ name: 'data folder', state: 'fail' });
    const below = path.join(folder, 'a', 'b');
    expect(await checkDataDir(below)).toMatchObject({ state: 'ok', found: `${below} can be created` });
    expect(await checkDataDir(folder)).toMatchObject({ state: 'ok', found: folder });
  });
});
