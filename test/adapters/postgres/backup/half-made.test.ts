// A data folder is put together beside its place, and a kill at any moment leaves nothing that starts by mistake.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openHalfMade } from '../../../../src/adapters/postgres/backup/restore/half-made.ts';
import { refusal, start } from '../../../support/embedded-postgres/server-fixture.ts';

let root: string;
let dir: string;
let count = 0;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'half-made-'));
});
beforeEach(() => {
  dir = path.join(root, `case-${(count += 1)}`);
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** A small copy of the files that a restore makes. */
async function fillHalf(half: string): Promise<void> {
  await mkdir(path.join(half, 'postgres'));
  await mkdir(path.join(half, 'audit'));
  await writeFile(path.join(half, 'postgres', 'PG_VERSION'), '18');
  await writeFile(path.join(half, 'postgres-password'), 'secret');
  await writeFile(path.join(half, 'postgres-programs-18'), 'not wanted');
}

async function content(): Promise<string[]> {
  return (await readdir(dir)).filter((name) => !name.startsWith('lock')).toSorted();
}

/** A restore that was killed: its folder is still there. @returns that folder */
async function killed(isWhole: boolean): Promise<string> {
  const half = path.join(dir, 'restore-half-made-killed');
  await mkdir(half, { recursive: true });
  await fillHalf(half);
  if (isWhole) await writeFile(path.join(half, 'complete'), 'backup-1 restore');
  return half;
}

describe('a data folder that a restore makes', () => {
  it('is in its place once it is whole, and nothing else is [platform-6.1.10]', async () => {
    {
      await using half = await openHalfMade(dir, 'backup-1 restore');
      await fillHalf(half.dataDir ?? '');
      await half.complete();
    }
    expect(await content()).toEqual(['audit', 'postgres', 'postgres-password']);
  });

  it('leaves nothing behind where the restore fails', async () => {
    const fails = async (): Promise<void> => {
      await using half = await openHalfMade(dir, 'backup-1 restore');
      await fillHalf(half.dataDir ?? '');
      throw new Error('the disk is full');
    };
    await expect(fails()).rejects.toThrow('the disk is full');
    expect(await content()).toEqual([]);
  });

  it('does not start after a kill; the same restore begins anew [platform-6.1.10] [platform-6.3.6]', async () => {
    await killed(false);
    expect((await refusal(start(dir))).code).toBe('restore_unfinished');
    {
      await using half = await openHalfMade(dir, 'backup-1 restore');
      expect(await content()).toEqual([path.basename(half.dataDir ?? '')]);
      await fillHalf(half.dataDir ?? '');
      await half.complete();
    }
    expect(await content()).toEqual(['audit', 'postgres', 'postgres-password']);
  });

  it.each([0, 1, 2, 3])(
    'killed while it moved, after %i parts, is finished by the same restore [platform-6.1.10]',
    async (moved) => {
      const half = await killed(true);
      for (const name of ['audit', 'postgres-password', 'postgres'].slice(0, moved)) {
        await rename(path.join(half, name), path.join(dir, name));
      }
      expect((await refusal(start(dir))).code).toBe('restore_unfinished');
      if (moved > 0) {
        await expect(openHalfMade(dir, 'backup-2 restore')).rejects.toMatchObject({ code: 'restore_not_empty' });
      }
      {
        await using again = await openHalfMade(dir, 'backup-1 restore');
        expect(again.dataDir).toBeUndefined();
      }
      expect(await content()).toEqual(['audit', 'postgres', 'postgres-password']);
      expect(existsSync(half)).toBe(false);
    },
  );

  it('is one restore’s at a time', async () => {
    await using first = await openHalfMade(dir, 'backup-1 restore');
    expect(first.dataDir).toBeDefined();
    await expect(openHalfMade(dir, 'backup-1 restore')).rejects.toMatchObject({ code: 'data_dir_locked' });
  });
});
